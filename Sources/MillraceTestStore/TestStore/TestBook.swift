import Millrace
import MillraceTesting

/// What a test store has seen, and what of it the test has asserted. Pure.
struct TestBook<State: Equatable, Action> {
  /// An action that was reduced.
  struct Reduced {
    let action: Action
    /// The run that sent it; `nil` if the test did.
    let run: RunIdentity?
    let state: State
  }

  /// A run that was begun.
  struct Seen {
    enum Phase { case running, stopped, returned }

    let identity: RunIdentity
    let isBackground: Bool
    let parts: [AnyHashable]
    /// The action that made the state ask for it, in words; `nil` if it was asked for on connect.
    let cause: String?
    var phase = Phase.running
    /// Whether the test has named it.
    var isNamed = false
  }

  var exhaustivity = Exhaustivity.all
  private var ignoring: [(inout State, State) -> Void] = []
  /// The state after the last action that the test has asserted.
  private(set) var asserted: State
  /// Actions that were reduced and not asserted yet.
  private(set) var unasserted: [Reduced] = []
  private(set) var runs: [Seen] = []
  /// The actions in the order in which they were reduced, in words, for causes.
  private var spelled: [String] = []
  /// The action that is being reduced.
  private var pending: (action: Action, run: RunIdentity?)?
  var isFinished = false

  init(_ initialState: State) { asserted = initialState }

  mutating func ignore(_ copy: @escaping @Sendable (inout State, State) -> Void) { ignoring.append(copy) }

  // MARK: What happens

  mutating func willReduce(_ action: Action, from run: RunIdentity?) { pending = (action, run) }

  mutating func didReduce(_ state: State) {
    guard let pending else { return }
    unasserted.append(Reduced(action: pending.action, run: pending.run, state: state))
    spelled.append(Spelling.text(of: pending.action))
    self.pending = nil
  }

  mutating func begun(
    _ identity: RunIdentity, isBackground: Bool, parts: [AnyHashable], startedBy sequence: UInt64?
  ) {
    let cause = sequence.flatMap { spelled.indices.contains(Int($0) - 1) ? spelled[Int($0) - 1] : nil }
    runs.append(Seen(identity: identity, isBackground: isBackground, parts: parts, cause: cause))
  }

  mutating func ended(_ identity: RunIdentity, _ phase: Seen.Phase) {
    guard let index = runs.firstIndex(where: { $0.identity.generation == identity.generation }) else {
      return
    }
    if runs[index].phase == .running { runs[index].phase = phase }
    forget(at: index)
  }

  // MARK: What the test asserts

  /// The oldest action that was not asserted is now.
  mutating func takeFirst(where isSought: (Reduced) -> Bool = { _ in true }) -> Reduced? {
    guard let index = unasserted.firstIndex(where: isSought) else { return nil }
    let found = unasserted[index]
    if index > 0 { asserted = unasserted[index - 1].state }
    unasserted.removeSubrange(...index)
    // Who receives what a run sends, knows of the run.
    if let run = found.run { name { $0.identity.generation == run.generation } }
    return found
  }

  /// What has been reduced is not asserted action by action.
  mutating func takeActions() -> [Reduced] {
    defer { unasserted = [] }
    return unasserted
  }

  /// The test goes on from the state after the last action.
  mutating func skip(_ actions: [Reduced]) {
    if let last = actions.last { asserted = last.state }
  }

  /// Compares the state after a step with what the test expects.
  ///
  /// - Returns: the difference; `nil` if there is none.
  mutating func expect(
    _ actual: State, after change: (inout State) -> Void
  ) -> Difference? {
    var expected = exhaustivity.contains(.state) ? asserted : actual
    asserted = actual
    change(&expected)
    for copy in ignoring { copy(&expected, actual) }
    return expected == actual ? nil : Difference(expected: expected, actual: actual)
  }

  mutating func name(where isNamed: (Seen) -> Bool) {
    for index in runs.indices.reversed() where isNamed(runs[index]) {
      runs[index].isNamed = true
      forget(at: index)
    }
  }

  /// What has returned and was named needs no record.
  private mutating func forget(at index: Int) {
    if runs[index].isNamed, runs[index].phase == .returned { runs.remove(at: index) }
  }

  /// The runs that were stopped since this was last called.
  mutating func takeStopped() -> [Seen] {
    defer { runs.removeAll { $0.phase == .stopped } }
    return runs.filter { $0.phase == .stopped }
  }

  var running: [Seen] { runs.filter { $0.phase == .running } }
}

extension TestBook.Seen {
  /// The run in words: `SearchEffect "swift", asked for by .queryChanged("swift")`.
  var text: String {
    let part = parts.isEmpty ? "" : " in \(parts.map { Spelling.text(of: $0.base) }.joined(separator: ", "))"
    return "\(name)\(part)\(cause.map { ", asked for by \($0)" } ?? ", asked for on connect")"
  }

  /// The effect and the request.
  var name: String { "\(identity.name) \(Spelling.text(of: identity.request))" }
}
