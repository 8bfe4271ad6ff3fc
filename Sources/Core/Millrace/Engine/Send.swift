/// Sends actions from a run of an effect to the store.
///
/// Every action that a run sends passes the fence: after the run was stopped or has returned, none of its actions is
/// reduced. A `Send` keeps neither the store nor the run alive.
///
/// To test an effect component without a store, make a `Send` and look at what the component sends:
///
/// ```swift
/// let (sent, sink) = AsyncStream.makeStream(of: Search.Action.self)
/// let send = Send<Search.Action> { action in
///   sink.yield(action)
///   return .reduced
/// }
/// await SearchEffect(client: client).run("swift", send: send)
/// ```
public struct Send<Action: Sendable>: Sendable {
  private let deliver: @Sendable (Action, CallSite) async -> Delivery

  /// Makes a `Send` that calls `deliver` with each action, for tests and for wrappers of effect components.
  public init(_ deliver: @escaping @Sendable (Action) async -> Delivery) {
    self.deliver = { action, _ in await deliver(action) }
  }

  init(delivering deliver: @escaping @Sendable (Action, CallSite) async -> Delivery) {
    self.deliver = deliver
  }

  /// Sends an action and waits until it is reduced, fenced or refused.
  ///
  /// Callable from any task and isolation. A producer that awaits each call cannot send faster than the reducer
  /// works.
  ///
  /// - Returns: `.reduced` if the state shows the action, `.fenced` if the run was no longer live, `.refused` if the
  ///   store accepts no more actions.
  @discardableResult
  public func callAsFunction(
    _ action: Action, fileID: StaticString = #fileID, line: UInt = #line
  ) async -> Delivery {
    await deliver(action, CallSite(fileID: fileID, line: line))
  }

  /// Returns a `Send` of the same actions that sends each by `pass`. The recorded call site remains that of the sender.
  package func passing(
    _ pass: @escaping @Sendable (_ deliver: @Sendable () async -> Delivery) async -> Delivery
  ) -> Send {
    Send(delivering: { [deliver] action, site in await pass { await deliver(action, site) } })
  }

  /// Returns a `Send` of another type of action. It sends the result of `transform` for each action. The recorded call
  /// site remains that of the sender.
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Action) -> Send<Other> {
    Send<Other>(delivering: { [deliver] action, site in await deliver(transform(action), site) })
  }
}
