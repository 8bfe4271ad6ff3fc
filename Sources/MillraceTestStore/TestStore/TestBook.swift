import Millrace
import MillraceTesting

/// What a test store has seen, and what of it the test has asserted. Pure.
struct TestBook<State: Equatable, Action> {
  /// Copies a slice that the test ignores from the actual state to the expected one.
  typealias Ignoring = @Sendable (_ expected: inout State, _ actual: State) -> Void

  /// An action that was reduced.
  struct Reduced {
    let action: Action
    /// The run that sent it; `nil` if the test did.
    let run: RunIdentity?
    let state: State
  }

  /// A run that was begun.
  struct Seen {
    let identity: RunIdentity
    let isBackground: Bool
    let parts: [AnyHashable]
    /// The action that made the state ask for it, in words; `nil` if it was asked for on connect.
    let cause: String?
    /// How it ended; `nil` while it runs.
    var ending: StoreEvent.Ending?
    /// Whether the test has named it.
    var isNamed = false
  }

  var exhaustivity = Exhaustivity.all
  private var ignoring: [Ignoring] = []
  /// The state after the last action that the test has asserted.
  private(set) var asserted: State
  /// Actions that were reduced and not asserted yet.
  private(set) var unasserted: [Reduced] = []
  private(set) var runs: [Seen] = []
  /// The actions in the order in which they were reduced, in words, for causes.
  private var spelled: [String] = []
  /// What has happened, in words: the actions, and the faults that struck.
  private(set) var story: [String] = []
  /// The invariants that did not hold, each with how far the story was.
  private(set) var broken: [(name: String, steps: Int)] = []
  /// The action that is being reduced.
  private var pending: (action: Action, run: RunIdentity?)?
  var isFinished = false

  init(_ initialState: State) { asserted = initialState }

  mutating func ignore(_ copy: @escaping Ignoring) { ignoring.append(copy) }

  // MARK: What happens

  mutating func willReduce(_ action: Action, from run: RunIdentity?) { pending = (action, run) }

  mutating func didReduce(_ state: State) {
    guard let pending else { return }
    unasserted.append(Reduced(action: pending.action, run: pending.run, state: state))
    let text = Spelling.text(of: pending.action)
    spelled.append(text)
    story.append(text + (pending.run.map { " from \($0.name) \(Spelling.text(of: $0.request))" } ?? ""))
    self.pending = nil
  }

  mutating func tell(_ text: String) { story.append(text) }

  /// An invariant does not hold; only the first time counts.
  mutating func broke(_ name: String) {
    if !broken.contains(where: { $0.name == name }) { broken.append((name, story.count)) }
  }

  mutating func begun(
    _ identity: RunIdentity, isBackground: Bool, parts: [AnyHashable], startedBy sequence: UInt64?
  ) {
    let cause = sequence.flatMap { spelled.indices.contains(Int($0) - 1) ? spelled[Int($0) - 1] : nil }
    runs.append(Seen(identity: identity, isBackground: isBackground, parts: parts, cause: cause))
  }

  mutating func ended(_ identity: RunIdentity, _ ending: StoreEvent.Ending) {
    guard let index = runs.firstIndex(where: { $0.identity.generation == identity.generation }) else {
      return
    }
    runs[index].ending = ending
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

  /// The action that the test has sent, and those of runs that were reduced before it.
  mutating func takeSent() -> (sent: Reduced, before: [Reduced])? {
    guard let index = unasserted.firstIndex(where: { $0.run == nil }) else { return nil }
    let before = Array(unasserted[..<index])
    let sent = unasserted[index]
    unasserted.removeSubrange(...index)
    skip(before)
    return (sent, before)
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

  /// A step has led to a state.
  ///
  /// - Returns: the state that the test changes to the one that it expects, and what makes ignored slices equal.
  mutating func expectation(for actual: State) -> (base: State, ignoring: [Ignoring]) {
    defer { asserted = actual }
    return (exhaustivity.contains(.state) ? asserted : actual, ignoring)
  }

  mutating func name(where isNamed: (Seen) -> Bool) {
    for index in runs.indices.reversed() where isNamed(runs[index]) {
      runs[index].isNamed = true
      forget(at: index)
    }
  }

  /// A run that was served and named needs no record. One that was stopped unanswered is to be named as stopped.
  private mutating func forget(at index: Int) {
    if runs[index].isNamed, runs[index].ending != nil, !runs[index].isUnserved { runs.remove(at: index) }
  }

  /// The runs that were stopped unanswered since this was last called.
  mutating func takeStopped() -> [Seen] {
    defer { runs.removeAll(where: \.isUnserved) }
    return runs.filter(\.isUnserved)
  }

  var running: [Seen] { runs.filter { $0.ending == nil } }

  /// How a run ended, in words.
  func text(of ending: StoreEvent.Ending) -> String {
    switch ending {
    case .withdrawn(let action): "withdrawn by \(spelled[Int(action) - 1])"
    case .disconnected: "disconnected"
    case .answered: "answered, not received"
    case .failed: "failed, not received"
    default: "returned"
    }
  }
}

extension TestBook.Seen {
  /// Whether it was stopped before it was served.
  var isUnserved: Bool {
    switch ending {
    case .withdrawn, .disconnected: true
    default: false
    }
  }

  /// The run in words: `SearchEffect "swift", asked for by .queryChanged("swift")`.
  var text: String {
    let part = parts.isEmpty ? "" : " in \(parts.map { Spelling.text(of: $0.base) }.joined(separator: ", "))"
    return "\(name)\(part)\(cause.map { ", asked for by \($0)" } ?? ", asked for on connect")"
  }

  /// The effect and the request.
  var name: String { "\(identity.name) \(Spelling.text(of: identity.request))" }
}
