import Dispatch

/// What of the work of a test's store waits for the test. Guarded by the turn lock.
///
/// A store of a test has settled when everything under way waits for something that only the test brings about: a clock
/// to be advanced, a gate to be opened, an answer. Work in the background may also wait for anything else.
struct Parking {
  /// Runs that were stopped in a turn, and whose tasks are not cancelled yet.
  ///
  ///     drain                            | settled()
  ///     stops a run that is parked       |
  ///                                      | counts what is parked: not this run, which is about
  ///                                      | to be resumed
  ///     unlocks, cancels the run's task, |
  ///     which ends its wait              |
  private var stopping: Set<UInt64> = []

  mutating func stopped(_ run: Run) { stopping.insert(run.generation) }

  mutating func cancelled(_ run: Run) { stopping.remove(run.generation) }

  /// How much of the work that counts in a scope waits for the test: in all of its tasks that say what they wait for.
  /// What waits in a line does while anything of the store waits for the test. The lock of the update line must be held,
  /// too.
  func count(_ waits: [Wait], in scope: Scope) -> Int {
    var works: [CurrentWork.Identity: (work: CurrentWork, ends: Set<Wait.End>)] = [:]
    for wait in waits.innermost {
      works[wait.work.identity, default: (wait.work, [])].ends.insert(wait.endsBy)
    }
    let parked = works.values.filter { entry in
      !entry.ends.contains(.byItself) && entry.work.hasNotReturned && !isStopping(entry.work)
    }
    guard parked.contains(where: { $0.ends.contains(.byTest) }) else { return 0 }
    return parked.count { $0.work.isCounted && $0.work.attachment.scope.isWithin(scope) }
  }

  private func isStopping(_ work: CurrentWork) -> Bool {
    if case .run(let run) = work { stopping.contains(run.generation) } else { false }
  }
}

extension CurrentWork {
  /// Whether it is under way, or waits for the run before it. The turn lock and the lock of the update line must be held.
  fileprivate var hasNotReturned: Bool {
    if case .run(let run) = self, run.phase == .decided { true } else { isUnderWay }
  }
}

extension Engine {
  /// How much of what counts in a scope is at work: does not wait for the test. The lock of the update line must be held.
  func workAtWork(in scope: Scope) -> Int {
    guard counter?.isIdle ?? true else { return .max }
    return (scope.runs + scope.updates).counted - parking.count(Array(waits.withLock(\.values)), in: scope)
  }
}

/// Counts the jobs of the tasks of a test's store: while one executes or is to be executed, the store is at work.
///
/// What tells a task that is about to go on from one that waits, however many tasks a run has made: a task that is
/// resumed has a job before the call that resumes it returns.
protocol JobCounter: Sendable {
  var isIdle: Bool { get }
  func begin(_ priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class CountingExecutor: TaskExecutor, JobCounter {
  private let link: EngineLink
  private let jobs = Lock(0)

  init(_ link: EngineLink) { self.link = link }

  var isIdle: Bool { jobs.withLock { $0 == 0 } }

  func begin(_ priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task.detached(executorPreference: self, priority: priority, operation: body)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0 += 1 }
    DispatchQueue.global().async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      let isIdle = jobs.withLock { jobs in
        jobs -= 1
        return jobs == 0
      }
      if isIdle { link.engine?.locked {} }
    }
  }
}

extension Engine {
  static func makeJobCounter(_ link: EngineLink) -> (any JobCounter)? {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
    return CountingExecutor(link)
  }

  /// Begins a task of the store's own.
  func begin(_ priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    counter?.begin(priority, body) ?? Task.detached(priority: priority, operation: body)
  }
}
