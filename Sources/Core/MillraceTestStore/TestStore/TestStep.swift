import Millrace

/// A step of a test: a call of its test store.
final class TestStep: Sendable {
  let name: String
  let place: TestPlace

  init(_ name: String, at place: TestPlace) { (self.name, self.place) = (name, place) }
}

extension TestStore {
  /// Begins a step. A test makes one step at a time.
  ///
  /// - Returns: the step, which the caller ends.
  func begin(_ name: String, at place: TestPlace) -> TestStep {
    let step = TestStep(name, at: place)
    session.rehearsal?.begins(name, at: place, in: session)
    let other = session.current.withLock { current in
      defer { if current == nil { current = step } }
      return current
    }
    if let other {
      fail(
        """
        \(name) begins while \(other.name) at \(other.place) goes on: a test store is for one thread, and makes one \
        step at a time.
        """, at: place)
    }
    return step
  }

  func end(_ step: TestStep) {
    session.current.withLock { if $0 === step { $0 = nil } }
  }

  /// Waits until everything has settled.
  ///
  /// - Returns: `false` if the time limit was exceeded, which fails the test once.
  func settle(during step: TestStep) async -> Bool {
    if session.isStuck.withLock({ $0 }) { return false }
    let (limit, clock) = session.patience.withLock { $0 }
    if await store.settled(within: limit, clock: clock) { return true }
    fail("\(step.name) has waited for \(limit), for\n\n\(list(of: store.activity))", at: step.place)
    session.isStuck.withLock { $0 = true }
    return false
  }

  /// The work in progress and its waits, at most twenty lines. Work that does not wait for the test comes first.
  private func list(of activity: StoreActivity) -> String {
    let work = activity.busy.flatMap { entry in
      entry.work.filter { $0.phase != .finished }.map { (entry, $0) }
    }
    let book = session.book.withLock { $0 }
    let lines = (work.filter { !$0.1.waitsForTest } + work.filter { $0.1.waitsForTest }).map { entry, work in
      let seen = work.generation.flatMap(book.seen)
      let name = seen?.text ?? "\(entry.connection.name) \(work.request)"
      let state = work.phase == .stopping ? ", stopped" : ""
      let waits =
        work.waitsFor.isEmpty
        ? "does not say what it waits for" : "waits for \(work.waitsFor.joined(separator: " and "))"
      return "  \(name)\(state), \(waits)"
    }
    let more = lines.count > 20 ? ["  and \(lines.count - 20) more"] : []
    return (lines.prefix(20) + more).joined(separator: "\n")
  }
}
