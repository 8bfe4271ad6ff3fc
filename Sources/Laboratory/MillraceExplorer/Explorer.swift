import Millrace
import MillraceTesting

/// Explores every order of the user's actions and of the outcomes of requests.
///
/// The explorer executes no body of an effect. From each state, the moves are an action of the user, an outcome of a
/// request in progress and, if asked for, a restart of the program. The test lists the actions and the outcomes, and
/// states properties. The explorer finds a shortest path to a state that violates a property, and writes a test that
/// makes the same moves.
///
/// ```swift
/// let report = Explorer(initialState: Search.State(), reduce: Search.reduce) { Search.connect(to: $0) }
///   .userActions { _ in [.queryChanged("a"), .queryChanged("ab"), .cleared] }
///   .outcomes(of: String.self) { query in [.answers(.arrived([query])), .fails(Offline())] }
///   .always("no spinner without a request") { state, running in !state.isLoading || !running.isEmpty }
///   .alwaysReachable("the search comes to rest") { state in !state.isLoading }
///   .explore(depth: 12)
/// #expect(report.isClean, "\(report)")
/// ```
///
/// The feature is the one that ships: `reduce` is its reducer. The explorer calls `connect` once, with a store that
/// runs nothing and records what is connected. A store's own table of runs decides each move. Two states count as one
/// if they are equal and the same requests are in progress or have finished.
///
/// Timers and the policies of the library say when they act. No body waits: time passes to the next moment at which
/// something is due. A listed outcome is one of the effect within the policies, and a policy may continue after it:
/// `retried` tries a failure again after its backoff, and `polled` serves the request anew. `throttled`, `rateLimited`
/// and `limited` let runs begin one after the other; of requests that appear together, any may be first. A circuit
/// breaker opens by the explored failures. Of requests that reach a debounce together, the one with the smallest
/// description comes first. The explorer calls closures of policies, such as `isRetried`, which must be pure.
///
/// Two things are not explored. Policies of other modules hide the timing of the wrapped effect. A debounce or a
/// throttle may hold back values that are handed over to a run that has begun.
///
/// An action that a `connect` function or a lifetime's closure dispatches is reduced before anything else, as a move of
/// its own. A stopped run returns at once and sends nothing more, as the fence of the store promises. With
/// ``explore(depth:states:within:)`` the exploration is complete up to its bounds, and a report that met a bound is not
/// clean. For a larger feature, ``walk(seed:walks:depth:)`` takes random walks. If parts of the state are alike, such
/// as rows, use the initializer whose `comparing:` gets the requests in progress. The explorer then treats states that
/// differ only in the order of such parts as one.
///
/// The explorer works on the calling thread. `reduce`, `userActions` and the properties must be pure.
///
/// Experimental: the explorer may change with every version.
public struct Explorer<State: Sendable, Action: Sendable>: Sendable {
  package var initialState: State
  package let reduce: Reducer<State, Action>
  package let connect: @Sendable (Store<State, Action>) -> Void
  let identity: StateIdentity<State>
  var actions: (@Sendable (State) -> [Action])?
  var outcomes: [OutcomeList<State>] = []
  var components: [ListedComponent<State, Action>] = []
  var properties: [ExploredProperty<State>] = []
  /// The gaps that a clean report may have.
  var allowed: Set<ExplorationGap> = []
  /// The entrances (such as limits and buckets) that an earlier exploration found to be shared by several effects.
  var sharedEntrances: Set<EntranceKey> = []
  /// Turns the state into that after a restart; `nil` if there are no restarts.
  var restart: (@Sendable (State) -> State)?
  /// Whether the explorer keeps decisions and moves for reuse. If not, it makes each anew, with the same findings.
  var keepsDecisions = true
  /// How a test makes its store, in Swift.
  var storeSource: String?
  /// The part of a state that the explorer compares, as an expression in Swift.
  var partSource: String?

  /// Makes an explorer of a feature.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first move.
  ///   - reduce: the feature's reducer.
  ///   - connect: connects the feature's components to the store, as the program does.
  public init(
    initialState: State, reduce: @escaping Reducer<State, Action>,
    connect: @escaping @Sendable (Store<State, Action>) -> Void = { _ in }
  ) where State: Hashable {
    self.init(initialState: initialState, comparing: { $0 }, reduce: reduce, connect: connect)
  }

  /// Makes an explorer of a feature whose state is not `Hashable`, or whose state has parts that do not matter.
  ///
  /// - Parameter comparing: returns the part of the state by which the explorer tells states apart. It explores two
  ///   states as one if their parts are equal. So the part has to contain everything that the reducer and the requests
  ///   depend on.
  public init(
    initialState: State, comparing: @escaping @Sendable (State) -> some Hashable & SendableMetatype,
    reduce: @escaping Reducer<State, Action>,
    connect: @escaping @Sendable (Store<State, Action>) -> Void = { _ in }
  ) {
    self.initialState = initialState
    self.reduce = reduce
    self.connect = connect
    identity = StateIdentity(comparing)
  }

  /// Makes an explorer of a feature with interchangeable parts, such as rows.
  ///
  /// ```swift
  /// Explorer(
  ///   initialState: Album.State(names: ["a", "b", "c", "d"]),
  ///   comparing: { state, running in
  ///     state.photos.map { [$0.isShown, running.contains($0.id)] }.sorted { "\($0)" < "\($1)" }
  ///   },
  ///   reduce: Album.reduce, connect: Album.connect
  /// )
  /// ```
  ///
  /// - Parameter comparing: returns a value by which the explorer distinguishes states with their requests in progress.
  ///   It explores two states as one if these values are equal, even if the states differ. So the value must contain
  ///   everything on which the reducer and the requests depend, and which requests are in progress. The order of its
  ///   contents must not depend on the order of the parts.
  public init(
    initialState: State,
    comparing: @escaping @Sendable (State, RunningRequests) -> some Hashable & SendableMetatype,
    reduce: @escaping Reducer<State, Action>,
    connect: @escaping @Sendable (Store<State, Action>) -> Void = { _ in }
  ) {
    self.initialState = initialState
    self.reduce = reduce
    self.connect = connect
    identity = StateIdentity(withRuns: comparing)
  }

  // MARK: Moves

  /// Returns this explorer with more actions of the user.
  ///
  /// - Parameter list: the actions that the user may send in a state. Called once for each explored state.
  public func userActions(_ list: @escaping @Sendable (State) -> [Action]) -> Explorer {
    changed { explorer in
      if let others = actions {
        explorer.actions = { others($0) + list($0) }
      } else {
        explorer.actions = list
      }
    }
  }

  /// Returns this explorer with the outcomes of the requests of one type.
  ///
  /// A request without a list never answers, and ``ExplorationReport/unlisted`` names it. To state that a request never
  /// answers, return an empty list.
  ///
  /// - Parameters:
  ///   - request: the type of the requests.
  ///   - name: the name of the connection, needed if several effects have requests of one type.
  ///   - list: the outcomes of a request. The run continues after ``Outcome/sends(_:)``. It ends with the other
  ///     outcomes, unless a policy around the effect serves the request again.
  public func outcomes<Request: Hashable & Sendable>(
    of request: Request.Type, from name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ list: @escaping @Sendable (Request) -> [Outcome<Action>]
  ) -> Explorer {
    listing(name, nil, fileID, line, looksAtRun: false) { request, _ in list(request) }
  }

  /// Returns this explorer with outcomes that depend on the state and on the actions that the run has sent.
  ///
  /// ```swift
  /// .outcomes(of: Transfer.Download.self) { download, run in
  ///   run.sent.isEmpty ? [.sends(.began)] : [.sends(.half).then(.answers(.done)), .fails(Offline())]
  /// }
  /// ```
  ///
  /// The explorer then distinguishes states by the actions that runs have sent. A run that sends without end leads to
  /// endlessly many states, so list a bounded number of actions.
  public func outcomes<Request: Hashable & Sendable>(
    of request: Request.Type, from name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ list: @escaping @Sendable (Request, RunHistory<State, Action>) -> [Outcome<Action>]
  ) -> Explorer {
    listing(name, nil, fileID, line, looksAtRun: true, list)
  }

  /// Returns this explorer with the outcomes of requests of an effect whose actions are not the store's, such as those
  /// of an element: `.outcomes(of: LoadRequest.self, sending: RowAction.self) { … }`.
  ///
  /// Concerns only effects that send actions of this type, even if other effects have requests of the same type.
  public func outcomes<Request: Hashable & Sendable, EffectAction: Sendable>(
    of request: Request.Type, sending action: EffectAction.Type, from name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ list: @escaping @Sendable (Request) -> [Outcome<EffectAction>]
  ) -> Explorer {
    listing(name, action, fileID, line, looksAtRun: false) { request, _ in list(request) }
  }

  /// Returns this explorer with outcomes of an effect whose actions are not the store's. The outcomes depend on the
  /// state and on the actions that the run has sent.
  public func outcomes<Request: Hashable & Sendable, EffectAction: Sendable>(
    of request: Request.Type, sending action: EffectAction.Type, from name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ list: @escaping @Sendable (Request, RunHistory<State, EffectAction>) -> [Outcome<EffectAction>]
  ) -> Explorer {
    listing(name, action, fileID, line, looksAtRun: true, list)
  }

  private func listing<Request: Hashable & Sendable, EffectAction: Sendable>(
    _ name: String?, _ action: Any.Type?, _ fileID: StaticString, _ line: UInt, looksAtRun: Bool,
    _ list: @escaping @Sendable (Request, RunHistory<State, EffectAction>) -> [Outcome<EffectAction>]
  ) -> Explorer {
    let site = CallSite(fileID: fileID, line: line)
    let outcomes = OutcomeList(of: name, sending: action, looksAtRun: looksAtRun, at: site, list)
    return changed { $0.outcomes.append(outcomes) }
  }

  /// Returns this explorer with the actions of a connected component or view.
  ///
  /// ```swift
  /// .component("MessageList") { state in state.messages.map { [.opened($0)] } ?? [] }
  /// ```
  ///
  /// The explorer serves no component or view, so it knows only the actions listed here. The report names each
  /// connected one without a list.
  ///
  /// - Parameters:
  ///   - name: the name of the connection, by default the name of the component's type.
  ///   - list: the store's actions that it may send in a state; by default none.
  public func component(
    _ name: String, sends list: @escaping @Sendable (State) -> [Action] = { _ in [] }
  ) -> Explorer {
    changed { $0.components.append(ListedComponent(name: name, actions: list)) }
  }

  /// Returns this explorer with gaps that a clean report may have, such as the depth of a feature that never comes to
  /// an end:
  ///
  /// ```swift
  /// .allowing(.depth)
  /// ```
  public func allowing(_ gaps: ExplorationGap...) -> Explorer {
    changed { $0.allowed.formUnion(gaps) }
  }

  /// Returns this explorer with a restart of the program as a move from every state. The state is kept, every run ends,
  /// and the runs for the requests of the state begin anew.
  ///
  /// ```swift
  /// let report = explorer.crashes(restored: { Search.State(query: $0.query, isLoading: $0.isLoading) })
  ///   .explore()
  /// ```
  ///
  /// A restart loses the actions that runs have sent and the state does not keep. It does not explore the order of
  /// writing and sending: everything that `restored` keeps counts as on disk at once. `CrashAnywhere` of
  /// `MillraceFaults` lets a save be slow.
  ///
  /// - Parameter restored: returns the state that the program finds when it begins again; by default all of it.
  public func crashes(restored: @escaping @Sendable (State) -> State = { $0 }) -> Explorer {
    changed { $0.restart = restored }
  }

  /// Returns this explorer with the Swift expression by which printed tests make their store, such as
  /// `Search.testStore()`. By default this is a `TestStore` with `reduce` and `connect` of the type in which the state
  /// is declared.
  ///
  /// - Parameters:
  ///   - source: the expression. `$state` in it is replaced by the state with which the test begins.
  ///   - function: the closure given as `comparing:`, in Swift. The tests then compare its results instead of states,
  ///     for a state without an initializer that can be printed.
  public func printingTests(using source: String, comparing function: String? = nil) -> Explorer {
    changed { ($0.storeSource, $0.partSource) = (source, function) }
  }

  func changed(_ change: (inout Explorer) -> Void) -> Explorer {
    var explorer = self
    change(&explorer)
    return explorer
  }
}

/// The actions that a component or a view may send.
struct ListedComponent<State: Sendable, Action: Sendable>: Sendable {
  let name: String
  let actions: @Sendable (State) -> [Action]
}

/// The part of a state that the explorer compares: two states with equal parts are one.
struct StateIdentity<State>: Sendable {
  let hash: @Sendable (State, RunningRequests) -> Int
  let areEqual: @Sendable (State, RunningRequests, State, RunningRequests) -> Bool
  /// The compared part as an expression in Swift; `nil` if the requests in progress belong to it.
  let source: (@Sendable (State) -> String)?
  var looksAtRuns: Bool { source == nil }

  init<Key: Hashable & SendableMetatype>(_ key: @escaping @Sendable (State) -> Key) {
    hash = { state, _ in key(state).hashValue }
    areEqual = { one, _, other, _ in key(one) == key(other) }
    source = { SourceText.value(key($0), as: Key.self) }
  }

  init<Key: Hashable & SendableMetatype>(
    withRuns key: @escaping @Sendable (State, RunningRequests) -> Key
  ) {
    hash = { key($0, $1).hashValue }
    areEqual = { key($0, $1) == key($2, $3) }
    source = nil
  }
}
