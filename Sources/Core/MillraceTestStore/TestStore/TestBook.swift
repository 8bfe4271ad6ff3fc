import Millrace
import MillraceSpelling

/// The events of a store under test, and which of them the test has asserted. Pure.
package struct TestBook<State: Equatable, Action> {
  /// Copies a slice that the test ignores from the actual state to the expected one.
  typealias Ignoring = @Sendable (_ expected: inout State, _ actual: State) -> Void

  /// A reduced action.
  struct Reduced {
    let action: Action
    /// The run that sent the action; `nil` if the test or a component did.
    let run: RunIdentity?
    /// The source line that sent the action.
    let site: CallSite?
    let state: State
  }

  /// A run that has begun.
  package struct Seen: Identifiable, @unchecked Sendable {  // requests and ids are Sendable
    package let identity: RunIdentity
    /// The request; if newer ones were handed over, the newest.
    package fileprivate(set) var request: any Hashable & Sendable
    /// The last value that the run has taken, and the values handed over since, except the newest.
    var earlier: [AnyHashable] = []
    let isLongRunning: Bool
    package let parts: [AnyHashable]
    /// The action that made the state ask for the request, in words; `nil` if it was asked for on connect.
    let cause: String?
    /// The ending of the run; `nil` while it is in progress.
    var ending: StoreEvent.Ending?
    /// Whether the test has named the run.
    var isNamed = false
    /// Whether a failure has mentioned the run, so that no other failure does.
    var isExcused = false

    /// The generation, unique in the program.
    package var id: UInt64 { identity.generation }
  }

  var exhaustivity = Exhaustivity.all
  private var ignoring: [Ignoring] = []
  /// The state after the last action that the test has asserted.
  package private(set) var asserted: State
  /// Actions that were reduced and not asserted yet.
  private(set) var unasserted: [Reduced] = []
  /// Actions that a failure has listed as not received. The test may still receive them.
  private var reported: [Reduced] = []
  /// The answers that the test has given.
  private var answers: [(selection: RunSelection, place: TestPlace)] = []
  /// The requests answered by an action of their own run, each with the number of that action.
  private var answeredBy: [(selection: RunSelection, action: UInt64)] = []
  /// The runs by generation, in the order in which they began.
  private(set) var runs: KeyedArray<Seen> = []
  /// The runs by each selection that matches a request given to them. Ended runs are removed when the selection is
  /// looked up.
  private var given: [RunSelection: [UInt64]] = [:]
  /// The reduced actions in order, in words, for use as causes.
  private var spelled: [String] = []
  /// The action that is being reduced.
  private var pending: (action: Action, run: RunIdentity?, site: CallSite?)?
  package var isFinished = false
  /// The unexpected requests in progress at the end of the test, in words.
  package var leftInProgress: [String] = []

  init(_ initialState: State) { asserted = initialState }

  mutating func ignore(_ copy: @escaping Ignoring) { ignoring.append(copy) }

  // MARK: Events

  mutating func willReduce(_ action: Action, from run: RunIdentity?, at site: CallSite? = nil) {
    pending = (action, run, site)
  }

  /// - Returns: the run that has sent the action, in words.
  mutating func didReduce(_ state: State) -> String? {
    guard let pending else { return nil }
    unasserted.append(Reduced(action: pending.action, run: pending.run, site: pending.site, state: state))
    spelled.append(Spelling.text(of: pending.action))
    self.pending = nil
    return pending.run.map(name)
  }

  mutating func begun(
    _ identity: RunIdentity, isLongRunning: Bool, parts: [AnyHashable], startedBy sequence: UInt64?
  ) {
    let cause = sequence.flatMap { spelled.indices.contains(Int($0) - 1) ? spelled[Int($0) - 1] : nil }
    let run = Seen(
      identity: identity, request: identity.request, isLongRunning: isLongRunning, parts: parts, cause: cause)
    runs.append(run)
    list(run)
  }

  /// Another value was handed over to a run.
  mutating func handedOver(_ request: any Hashable & Sendable, to identity: RunIdentity) {
    guard var run = seen(identity.generation) else { return }
    run.earlier.append(AnyHashable(run.request))
    run.request = request
    runs[id: run.id] = run
    list(run)
  }

  /// A run has taken the newest value.
  mutating func tookValue(_ identity: RunIdentity) {
    runs[id: identity.generation]?.earlier = []
  }

  func seen(_ run: UInt64) -> Seen? { runs[id: run] }

  private mutating func list(_ run: Seen) {
    for part in [nil] + run.parts.names.map(Optional.some) {
      for name in [nil, run.identity.name] {
        let selection = RunSelection(AnyHashable(run.request), in: part, named: name)
        given[selection, default: []].append(run.id)
      }
    }
  }

  /// The selected runs in progress. If no newest request matches, earlier ones count.
  mutating func inProgress(_ selection: RunSelection) -> [UInt64] {
    let live = Set(given[selection, default: []]).sorted().compactMap(seen).filter { $0.ending == nil }
    given[selection] = live.isEmpty ? nil : live.map(\.id)
    let newest = live.filter { AnyHashable($0.request) == selection.request }
    return (newest.isEmpty ? live.filter { $0.earlier.contains(selection.request) } : newest).map(\.id)
  }

  /// The name of the effect, and the abridged request.
  private func name(of run: RunIdentity) -> String {
    let request = seen(run.generation)?.request ?? run.request
    return "\(run.name) \(Spelling.abridged(request))"
  }

  mutating func ended(_ identity: RunIdentity, _ ending: StoreEvent.Ending) {
    runs[id: identity.generation]?.ending = ending
    if case .answered(let action) = ending, let run = seen(identity.generation) {
      let selection = RunSelection(AnyHashable(run.request), in: run.parts.last, named: run.identity.name)
      answeredBy.append((selection, action))
    }
    forget(identity.generation)
  }

  /// The program has ended without stopping its runs, as in a crash. A restarted program numbers its runs and actions
  /// anew.
  package mutating func programEnded() { (runs, given, spelled, answeredBy) = ([], [:], [], []) }

  // MARK: Assertions

  /// Takes the oldest of the sought unasserted actions, and drops those before it.
  mutating func takeFirst(where isSought: (Reduced) -> Bool = { _ in true }) -> Reduced? {
    guard let index = unasserted.firstIndex(where: isSought) else { return nil }
    let found = unasserted[index]
    if index > 0 { asserted = unasserted[index - 1].state }
    unasserted.removeSubrange(...index)
    // A test that receives an action of a run has named the run.
    if let run = found.run { name(run.generation) }
    return found
  }

  /// Takes the actions that the test's step has caused. Actions of others remain to be received. If the test must
  /// receive all actions, those before the step's last action are taken, too, and a failure lists them.
  ///
  /// - Returns: the state after the last of these actions, and the actions that others had sent before and that the
  ///   test had not received; `nil` if the step caused no action.
  mutating func take(where isOwn: (Reduced) -> Bool) -> (state: State, before: [Reduced])? {
    guard let index = unasserted.lastIndex(where: isOwn) else { return nil }
    let state = unasserted[index].state
    let before = unasserted[..<index].filter { !isOwn($0) }
    // The test states the changes by its own actions only.
    if let first = unasserted.firstIndex(where: isOwn), first > 0 { asserted = unasserted[first - 1].state }
    let rest = unasserted[(index + 1)...]
    unasserted = exhaustivity.contains(.actions) ? Array(rest) : before + rest
    return (state, exhaustivity.contains(.actions) ? report(before) : [])
  }

  /// Takes the actions that were not received, if the test must receive all.
  mutating func takeUnreceived() -> [Reduced] {
    if let last = unasserted.last { asserted = last.state }
    guard exhaustivity.contains(.actions) else { return [] }
    defer { unasserted = [] }
    return report(unasserted)
  }

  /// Marks everything that has led to this state as asserted.
  package mutating func assertAll(upTo state: State) {
    (asserted, unasserted) = (state, [])
    excuse { $0.ending != nil }
  }

  /// Marks actions as listed by a failure, so that no other failure reports the same mistake.
  private mutating func report(_ actions: [Reduced]) -> [Reduced] {
    reported += actions
    for run in actions.compactMap(\.run) { excuse(run.generation) }
    return actions
  }

  /// Takes an action that a failure has listed.
  ///
  /// - Returns: whether there was one.
  mutating func takeReported(where isSought: (Action) -> Bool) -> Bool {
    guard let index = reported.firstIndex(where: { isSought($0.action) }) else { return false }
    reported.remove(at: index)
    return true
  }

  mutating func answered(_ selection: RunSelection, at place: TestPlace) {
    answers.append((selection, place))
  }

  /// The place of the test's last answer to such a request.
  func placeOfAnswer(to selection: RunSelection) -> TestPlace? {
    answers.last { $0.selection.covers(selection) }?.place
  }

  /// The last action by which a run answered such a request itself, in words.
  func actionThatAnswered(_ selection: RunSelection) -> String? {
    answeredBy.last { $0.selection.covers(selection) }.map { spelled[Int($0.action) - 1] }
  }

  mutating func excuse(where isExcused: (Seen) -> Bool) {
    for run in runs where isExcused(run) { excuse(run.id) }
  }

  mutating func excuse(_ run: UInt64) { runs[id: run]?.isExcused = true }

  /// A step has led to a state.
  ///
  /// - Returns: the state to which the test applies its change, and closures that make ignored slices equal.
  mutating func expectation(for actual: State) -> (base: State, ignoring: [Ignoring]) {
    defer { asserted = actual }
    return (exhaustivity.contains(.state) ? asserted : actual, ignoring)
  }

  mutating func name(where isNamed: (Seen) -> Bool) {
    for run in runs where isNamed(run) { name(run.id) }
  }

  mutating func name(_ run: UInt64) {
    runs[id: run]?.isNamed = true
    forget(run)
  }

  /// Removes a run that was served and named. A run that was stopped unanswered stays, until the test names it as
  /// stopped.
  private mutating func forget(_ run: UInt64) {
    if let seen = seen(run), seen.isNamed, seen.ending != nil, !seen.isUnserved { runs.remove(id: run) }
  }

  /// Takes the runs stopped unanswered since the last call, optionally only those in a part and of an effect.
  mutating func takeStopped(in part: AnyHashable?, named name: String?) -> [Seen] {
    let isTaken = { (run: Seen) in run.isUnserved && run.isOf(part, name) }
    defer { runs.removeAll(where: isTaken) }
    return runs.filter(isTaken)
  }

  package var running: [Seen] { runs.filter { $0.ending == nil } }

  /// The ending of a run, in words.
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
  /// Whether the run was stopped before it was served.
  var isUnserved: Bool {
    switch ending {
    case .withdrawn, .disconnected: true
    default: false
    }
  }

  /// The run in words: `SearchEffect "swift", asked for by .queryChanged("swift")`.
  package var text: String { text(besides: []) }

  /// The run in words, with the type of its request if another value has the same text.
  func text(besides others: [AnyHashable]) -> String {
    let name = "\(identity.name) \(AnyHashable(request).text(besides: others))"
    let part = parts.isEmpty ? "" : " in \(parts.map { Spelling.text(of: $0.base) }.joined(separator: ", "))"
    return "\(name)\(part)\(cause.map { ", asked for by \($0)" } ?? ", asked for on connect")"
  }

  /// The name of the effect, and the request.
  var name: String { "\(identity.name) \(Spelling.text(of: request))" }

  /// Whether the run belongs to that part and to an effect with that name, where given.
  package func isOf(_ part: AnyHashable?, _ name: String?) -> Bool {
    parts.isNamed(by: part) && (name == nil || identity.name == name)
  }
}
