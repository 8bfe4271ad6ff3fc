/// A side effect in two parts: a pure function from a slice of the state to the set of requests that the slice asks
/// for, and an async function that serves one request.
///
/// The store keeps the set of running requests equal to the set asked for, in the turn in which an action is reduced:
/// runs of requests that are gone are stopped and fenced, new requests are started, and the others are left alone.
///
/// ```swift
/// struct SearchEffect: EffectComponent {
///   let client: SearchClient
///   func requests(in state: Search.State) -> Set<String> {
///     state.query.isEmpty ? [] : [state.query]
///   }
///   func run(_ query: String, send: Send<Search.Action>) async {
///     await send(.arrived(client.results(for: query)))
///   }
/// }
/// ```
public protocol EffectComponent<State, Action>: Sendable {
  /// The slice of the state that the effect watches.
  associatedtype State: Equatable & Sendable = Never
  /// The actions that the effect sends.
  associatedtype Action: Sendable = Never
  /// The identity and the input of one piece of work: plain data that holds no closure.
  associatedtype Request: Hashable & Sendable
  /// The error that `run` can throw.
  associatedtype Failure: Error = Never
  /// The identity of a request apart from its value.
  associatedtype ID: Hashable & Sendable = Request

  /// Returns the identity of a request, by default the request itself.
  ///
  /// Pure. Called on the reducer queue, and by a test store elsewhere too. Equal requests must have equal identities.
  /// Otherwise their runs overlap, or are stopped and started again; a test store fails for such an effect. Two
  /// requests of one set with the same identity are a mistake: the store reports both and serves one.
  func id(of request: Request) -> ID

  /// Returns the requests that the state asks for.
  ///
  /// Pure and cheap. Called on the reducer queue: once when the effect is connected, and then whenever the slice has
  /// changed. For an effect on the whole state of the root store it is called in every turn.
  func requests(in state: State) -> Set<Request>

  /// Serves one request.
  ///
  /// Called in a task of its own, never on the reducer queue. The task is cancelled when the request leaves the state
  /// or the connection ends; what is sent or thrown after that has no effect on the state. The next run of the same
  /// identity begins only after this has returned.
  ///
  /// - Throws: an error that `action(for:of:)` turns into an action. An error thrown after the run was stopped is
  ///   ignored.
  func run(_ request: Request, send: Send<Action>) async throws(Failure)

  /// Returns the action for an error that `run` threw. Pure; called on the reducer queue. There is a default only if
  /// `Failure` is `Never`.
  ///
  /// - Parameter request: the request of the run. If values were handed over to the run, this is the last value that it
  ///   took. A value that it did not take is not part of the failure, and a new run begins with it.
  func action(for failure: Failure, of request: Request) -> Action

  /// The fate of a run whose request is replaced by another one of the same identity: `.restart` by default. Called on
  /// the reducer queue.
  var replacement: RequestReplacement { get }

  /// Serves one identity whose request may change during the run. By default serves the first value by
  /// `run(_:send:)`. To use the later values, conform to ``HandoverEffectComponent`` instead of implementing this.
  func run(_ requests: RequestUpdates<Request>, send: Send<Action>) async throws(Failure)
}

extension EffectComponent where ID == Request {
  /// Returns the request itself.
  public func id(of request: Request) -> Request { request }
}

extension EffectComponent where Failure == Never {
  /// Never called, since the effect cannot fail.
  public func action(for failure: Never, of request: Request) -> Action {}
}

extension EffectComponent {
  /// By default, `.restart`.
  public var replacement: RequestReplacement { .restart }

  /// Serves the first value by `run(_:send:)`.
  public func run(_ requests: RequestUpdates<Request>, send: Send<Action>) async throws(Failure) {
    try await run(requests.first, send: send)
  }
}

// Each declaration stands for what a conformance lacks, so that the compiler says in one sentence what to write.
// `State` and `Action` have defaults only so that the compiler reaches these declarations.
extension EffectComponent {
  @available(
    *, unavailable, message: "'run' can throw: say what action its failure becomes, by 'action(for:of:)'"
  )
  /// Unavailable: the compiler reports a missing `action(for:of:)` here. Never called.
  public func action(for failure: Failure, of request: Request) -> Action {
    preconditionFailure("what the compiler refuses")
  }

  @available(
    *, unavailable,
    message: """
      write 'func requests(in state: State) -> Set<Request>' for a State that is Equatable; an array or an optional does \
      not do
      """
  )
  /// Unavailable: the compiler reports a missing `requests(in:)` here. Never called.
  public func requests(in state: State) -> Set<Request> { preconditionFailure("what the compiler refuses") }

  /// Unavailable: the compiler reports a missing `run(_:send:)` here. Never called.
  @available(*, unavailable, message: "write 'func run(_ request: Request, send: Send<Action>) async'")
  public func run(_ request: Request, send: Send<Action>) async throws(Failure) {
    preconditionFailure("what the compiler refuses")
  }
}
