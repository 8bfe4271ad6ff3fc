import Millrace
import MillraceSpelling
import MillraceTesting

/// The events that a test store has seen, and those of them that the test has asserted. Pure.
package struct TestBook<State: Equatable, Action> {
  /// Copies a slice that the test ignores from the actual state to the expected one.
  typealias Ignoring = @Sendable (_ expected: inout State, _ actual: State) -> Void

  /// An action that was reduced.
  struct Reduced {
    let action: Action
    /// The run that sent it; `nil` if the test or a component did.
    let run: RunIdentity?
    /// The line that sent it.
    let site: CallSite?
    let state: State
  }

  /// A run that was begun.
  package struct Seen: Identifiable, @unchecked Sendable {  // requests and ids are Sendable
    package let identity: RunIdentity
    /// The request, the newest where others were handed over.
    package fileprivate(set) var request: any Hashable & Sendable
    /// The value that it has taken last, and those that were handed over to it since, without the newest.
    var earlier: [AnyHashable] = []
    let isLongRunning: Bool
    package let parts: [AnyHashable]
    /// The action that made the state ask for it, in words; `nil` if it was asked for on connect.
    let cause: String?
    /// How it ended; `nil` while it runs.
    var ending: StoreEvent.Ending?
    /// Whether the test has named it.
    var isNamed = false
    /// Whether a failure has told of it, so that no other does.
    var isExcused = false

    /// The generation, which no other run of the program has.
    package var id: UInt64 { identity.generation }
  }

  /// An answer that the test has given.
  struct Answered {
    let selection: RunSelection
    let place: TestPlace
  }

  var exhaustivity = Exhaustivity.all
  private var ignoring: [Ignoring] = []
  /// The state after the last action that the test has asserted.
  package private(set) var asserted: State
  /// Actions that were reduced and not asserted yet.
  private(set) var unasserted: [Reduced] = []
  /// Actions that a failure has told of as not received. The test may receive them later.
  private var reported: [Reduced] = []
  private var answers: [Answered] = []
  /// The runs that an action of their own has answered, each with the number of the action.
  private var answeredBy: [(selection: RunSelection, action: UInt64)] = []
  /// By generation, in the order in which they were begun.
  private(set) var runs: KeyedArray<Seen> = []
  /// The runs by each selection that matches a request that was given to them. Runs that have ended are removed when the
  /// selection is looked up.
  private var given: [RunSelection: [UInt64]] = [:]
  /// The actions in the order in which they were reduced, in words, for causes.
  private var spelled: [String] = []
  /// The action that is being reduced.
  private var pending: (action: Action, run: RunIdentity?, site: CallSite?)?
  package var isFinished = false
  /// The requests that were in progress at the end of the test and were not expected to be, in words.
  package var leftInProgress: [String] = []

  init(_ initialState: State) { asserted = initialState }

  mutating func ignore(_ copy: @escaping Ignoring) { ignoring.append(copy) }

  // MARK: What happens

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
        let selection = RunSelection(request: AnyHashable(run.request), part: part, name: name)
        given[selection, default: []].append(run.id)
      }
    }
  }

  /// The runs in progress that are selected: by their newest request or, if none is, by an earlier one.
  mutating func inProgress(_ selection: RunSelection) -> [UInt64] {
    let live = Set(given[selection, default: []]).sorted().compactMap(seen).filter { $0.ending == nil }
    given[selection] = live.isEmpty ? nil : live.map(\.id)
    let newest = live.filter { AnyHashable($0.request) == selection.request }
    return (newest.isEmpty ? live.filter { $0.earlier.contains(selection.request) } : newest).map(\.id)
  }

  /// The effect and the request, abridged.
  private func name(of run: RunIdentity) -> String {
    let request = seen(run.generation)?.request ?? run.request
    return "\(run.name) \(Spelling.abridged(request))"
  }

  mutating func ended(_ identity: RunIdentity, _ ending: StoreEvent.Ending) {
    runs[id: identity.generation]?.ending = ending
    if case .answered(let action) = ending, let run = seen(identity.generation) {
      answeredBy.append((RunSelection(run), action))
    }
    forget(identity.generation)
  }

  /// The program has ended without stopping its runs, as by a crash. It counts them anew when it begins again.
  package mutating func programEnded() { (runs, given) = ([], [:]) }

  // MARK: What the test asserts

  /// The oldest action that was not asserted is now.
  mutating func takeFirst(where isSought: (Reduced) -> Bool = { _ in true }) -> Reduced? {
    guard let index = unasserted.firstIndex(where: isSought) else { return nil }
    let found = unasserted[index]
    if index > 0 { asserted = unasserted[index - 1].state }
    unasserted.removeSubrange(...index)
    // A test that receives an action of a run knows of the run.
    if let run = found.run { name(run.generation) }
    return found
  }

  /// The result of an action that the test has sent, or of an answer that it has given, which may be several actions.
  struct Taken {
    /// The state after the last action of it.
    let state: State
    /// The actions that others had sent before, which were not received.
    let before: [Reduced]
  }

  /// Takes the actions that the test has brought about. Actions of others stay to be received: unless all has to
  /// be, where a failure tells of what came before.
  ///
  /// - Returns: `nil` if there are none.
  mutating func take(where isOwn: (Reduced) -> Bool) -> Taken? {
    guard let index = unasserted.lastIndex(where: isOwn) else { return nil }
    let state = unasserted[index].state
    let before = unasserted[..<index].filter { !isOwn($0) }
    // The test says what its own actions change.
    if let first = unasserted.firstIndex(where: isOwn), first > 0 { asserted = unasserted[first - 1].state }
    let rest = unasserted[(index + 1)...]
    unasserted = exhaustivity.contains(.actions) ? Array(rest) : before + rest
    return Taken(state: state, before: exhaustivity.contains(.actions) ? report(before) : [])
  }

  /// Takes what was not received, where all has to be.
  mutating func takeUnreceived() -> [Reduced] {
    if let last = unasserted.last { asserted = last.state }
    guard exhaustivity.contains(.actions) else { return [] }
    defer { unasserted = [] }
    return report(unasserted)
  }

  /// Nothing of what has led to this state has to be asserted any more.
  package mutating func assertAll(upTo state: State) {
    (asserted, unasserted) = (state, [])
    excuse { $0.ending != nil }
  }

  /// A failure tells of these actions: another one would tell of the same mistake.
  private mutating func report(_ actions: [Reduced]) -> [Reduced] {
    reported += actions
    for run in actions.compactMap(\.run) { excuse(run.generation) }
    return actions
  }

  /// Takes an action of which a failure has told.
  ///
  /// - Returns: whether there is one.
  mutating func takeReported(where isSought: (Action) -> Bool) -> Bool {
    guard let index = reported.firstIndex(where: { isSought($0.action) }) else { return false }
    reported.remove(at: index)
    return true
  }

  mutating func answered(_ selection: RunSelection, at place: TestPlace) {
    answers.append(Answered(selection: selection, place: place))
  }

  /// The place where the test has answered such a request last.
  func placeOfAnswer(to selection: RunSelection) -> TestPlace? {
    answers.last { $0.selection.covers(selection) }?.place
  }

  /// The action of its own that has answered such a request last, in words.
  func actionThatAnswered(_ selection: RunSelection) -> String? {
    answeredBy.last { $0.selection.covers(selection) }.map { spelled[Int($0.action) - 1] }
  }

  mutating func excuse(where isExcused: (Seen) -> Bool) {
    for run in runs where isExcused(run) { excuse(run.id) }
  }

  mutating func excuse(_ run: UInt64) { runs[id: run]?.isExcused = true }

  /// A step has led to a state.
  ///
  /// - Returns: the state that the test changes to the one that it expects, and what makes ignored slices equal.
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

  /// A run that was served and named needs no record. One that was stopped unanswered is to be named as stopped.
  private mutating func forget(_ run: UInt64) {
    if let seen = seen(run), seen.isNamed, seen.ending != nil, !seen.isUnserved { runs.remove(id: run) }
  }

  /// The runs that were stopped unanswered since this was last called, in a part and of an effect if these are given.
  mutating func takeStopped(in part: AnyHashable?, named name: String?) -> [Seen] {
    let isTaken = { (run: Seen) in run.isUnserved && run.isOf(part, name) }
    defer { runs.removeAll(where: isTaken) }
    return runs.filter(isTaken)
  }

  package var running: [Seen] { runs.filter { $0.ending == nil } }

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

extension RunSelection {
  fileprivate init<State: Equatable, Action>(_ run: TestBook<State, Action>.Seen) {
    self.init(request: AnyHashable(run.request), part: run.parts.last, name: run.identity.name)
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
  package var text: String { text(besides: []) }

  /// The run in words, with the type of its request where another value reads the same.
  func text(besides others: [AnyHashable]) -> String {
    let name = "\(identity.name) \(AnyHashable(request).text(besides: others))"
    let part = parts.isEmpty ? "" : " in \(parts.map { Spelling.text(of: $0.base) }.joined(separator: ", "))"
    return "\(name)\(part)\(cause.map { ", asked for by \($0)" } ?? ", asked for on connect")"
  }

  /// The effect and the request.
  var name: String { "\(identity.name) \(Spelling.text(of: request))" }

  /// Whether it is of that part and of an effect with that name, if these are given.
  func isOf(_ part: AnyHashable?, _ name: String?) -> Bool {
    parts.isNamed(by: part) && (name == nil || identity.name == name)
  }
}
