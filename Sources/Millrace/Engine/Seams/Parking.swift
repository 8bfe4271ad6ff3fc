/// The runs and updates that wait for something that only a test brings about: a clock to be advanced, a gate to be
/// opened, an answer. Guarded by the turn lock.
///
/// What is parked is not at work: the store of a test has settled when everything under way is parked.
struct Parking {
  private struct Work {
    let work: CurrentWork
    /// Where its tasks wait.
    var places: [ObjectIdentifier: String] = [:]
    /// How many tasks of it go on side by side. It is parked when all of them are.
    var branches = 1
  }

  private var works: [CurrentWork.Identity: Work] = [:]
  /// Runs that were stopped in a turn, and whose tasks are not cancelled yet.
  ///
  ///     drain                            | settled()
  ///     stops a run that is parked       |
  ///                                      | counts what is parked: not this run, which is about
  ///                                      | to be resumed
  ///     unlocks, cancels the run's task, |
  ///     which leaves its place           |
  private var stopping: Set<UInt64> = []

  mutating func stopped(_ run: Run) { stopping.insert(run.generation) }

  mutating func cancelled(_ run: Run) { stopping.remove(run.generation) }

  mutating func arrived(_ work: CurrentWork, as stay: AnyObject, at place: String) {
    works[work.identity, default: Work(work: work)].places[ObjectIdentifier(stay)] = place
  }

  mutating func left(_ work: CurrentWork, as stay: AnyObject) {
    change(work) { $0.places[ObjectIdentifier(stay)] = nil }
  }

  /// So many more tasks of the work go on side by side.
  mutating func branched(_ work: CurrentWork, by difference: Int) {
    change(work) { $0.branches += difference }
  }

  private mutating func change(_ work: CurrentWork, _ body: (inout Work) -> Void) {
    var entry = works[work.identity] ?? Work(work: work)
    body(&entry)
    works[work.identity] = entry.places.isEmpty && entry.branches == 1 ? nil : entry
  }

  /// How much of what is under way in a scope is parked. The lock of the update line must be held, too.
  func count(in scope: Scope) -> Int {
    works.values.count {
      $0.places.count >= $0.branches && $0.work.isUnderWay && !isStopping($0.work)
        && $0.work.attachment.scope.isWithin(scope)
    }
  }

  private func isStopping(_ work: CurrentWork) -> Bool {
    if case .run(let run) = work { stopping.contains(run.generation) } else { false }
  }

  /// Where the tasks of each run wait, in words, by the number of the run.
  var placesOfRuns: [UInt64: [String]] {
    var found: [UInt64: [String]] = [:]
    for entry in works.values {
      if case .run(let run) = entry.work { found[run.generation] = entry.places.values.sorted() }
    }
    return found
  }
}

/// One stay of the current task at something that only a test brings about, inside a run or an update.
///
/// A clock or a gate makes one before the task is suspended. Callable from anywhere but a turn.
package final class Stay: @unchecked Sendable {  // `isOver` is read and written with the turn lock held
  /// The store whose updates the current task makes, if it settles when all is parked.
  @TaskLocal static var store: EngineLink?

  private let work: CurrentWork
  private let link: EngineLink
  private var isOver = false

  /// `nil` where the current task is not inside a run or an update of a store that settles when all is parked: others
  /// are not asked, since asking waits for a turn in progress.
  package init?() {
    guard let (work, link) = Self.inside else { return nil }
    (self.work, self.link) = (work, link)
  }

  private static var inside: (CurrentWork, EngineLink)? {
    guard let work = CurrentWork.mark, let link = work.link else { return nil }
    return link.engine?.settlesWhenParked == true ? (work, link) : nil
  }

  /// The task waits from here on.
  package func begin(at place: String) {
    guard let engine = link.engine else { return }
    engine.locked { if !isOver { engine.parking.arrived(work, as: self, at: place) } }
  }

  /// The task is about to be resumed; also if it has not begun to wait.
  package func end() {
    guard let engine = link.engine else { return }
    engine.locked {
      isOver = true
      engine.parking.left(work, as: self)
    }
  }

  /// Calls `body`, in which so many tasks of the current run or update go on side by side.
  package nonisolated(nonsending) static func withBranches<Result, Failure: Error>(
    _ count: Int, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard let (work, link) = inside else { return try await body() }
    link.engine?.branch(work, by: count - 1)
    defer { link.engine?.branch(work, by: 1 - count) }
    return try await body()
  }
}

extension CurrentWork {
  /// Leads to its store; `nil` for the updates of a store that does not settle when all is parked. Asked of the task
  /// that is inside the work.
  fileprivate var link: EngineLink? {
    switch self {
    case .run(let run): run.link
    case .update: Stay.store
    }
  }
}

extension Engine {
  fileprivate func branch(_ work: CurrentWork, by difference: Int) {
    locked { parking.branched(work, by: difference) }
  }
}
