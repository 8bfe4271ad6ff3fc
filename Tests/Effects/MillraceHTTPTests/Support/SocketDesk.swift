#if !canImport(Darwin)
import HostileServer
import Millrace
import MillraceEffects
import MillraceTesting

@testable import MillraceHTTP

/// A store that asks for WebSockets as a test tells it, and records what comes of them.
final class SocketDesk: Sendable {
  struct State: Equatable, Sendable {
    var sockets: Set<WebSocketRequest> = []
  }

  enum Action: Sendable {
    case ask(WebSocketRequest)
    case leave
    case event(WebSocketEvent)
  }

  let clock: TestClock
  let events = Recorder<WebSocketEvent>()
  let store: Store<State, Action>

  /// `reduce` is called with each event, before it is recorded.
  init(
    setup: CurlSetup? = nil, clock: TestClock = TestClock(),
    breaker: CircuitBreaker? = nil,
    reduce: @escaping @Sendable (inout State, WebSocketEvent) -> Void = { _, _ in }
  ) {
    self.clock = clock
    store = Store(initialState: State()) { [events] state, action in
      switch action {
      case .ask(let request): state.sockets = [request]
      case .leave: state.sockets = []
      case .event(let event):
        reduce(&state, event)
        events.append(event)
      }
    }
    let effect =
      setup.map {
        WebSocketEffect(transport: CurlSockets(setup: $0), clock: clock, breaker: { _ in breaker })
      }
      ?? WebSocketEffect(clock: clock, breaker: { _ in breaker })
    store.connect(effect, to: \.sockets, action: Action.event, longRunning: true)
  }

  /// The statuses so far.
  var statuses: [WebSocketStatus] {
    events.values.compactMap { if case .status(let status, of: _) = $0 { status } else { nil } }
  }

  /// The messages so far.
  var received: [WebSocketMessage] {
    events.values.compactMap { if case .received(let message, from: _) = $0 { message } else { nil } }
  }

  /// The numbers of messages that were sent so far.
  var sent: [Int] {
    events.values.compactMap { if case .sent(let number, over: _) = $0 { number } else { nil } }
  }
}

extension LoopbackServer {
  /// A server that agrees to every WebSocket, and whose connections then follow a script, given their numbers from 1.
  convenience init(
    webSocket script: @escaping @Sendable (WebSocketPeer, Int) -> Void
  ) throws {
    let count = Lock(0)
    try self.init { connection in
      guard let peer = WebSocketPeer(connection, accept: WebSocketHandshake.accept) else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      script(peer, number)
    }
  }

  /// The address with the scheme of WebSockets.
  var socketURL: String { "ws" + url().dropFirst(4) }
}
#endif
