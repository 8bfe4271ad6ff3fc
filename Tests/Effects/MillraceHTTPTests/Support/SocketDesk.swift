#if !canImport(Darwin)
import HostileServer
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceTesting
import TestSupport
import Testing

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
    proxy: String? = nil, authorities: String? = nil, clock: TestClock = TestClock(),
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
      proxy.map {
        WebSocketEffect(proxy: $0, authorities: authorities, clock: clock, breaker: { _ in breaker })
      }
      ?? WebSocketEffect(clock: clock, breaker: { _ in breaker })
    store.connect(effect, to: \.sockets, action: Action.event, longRunning: true)
  }

  /// Asks for a WebSocket, and returns when so many events have come in all.
  func ask(
    for request: WebSocketRequest, until count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    store.dispatch(.ask(request))
    try await events(count, sourceLocation: sourceLocation)
  }

  /// Returns when so many events have come in all.
  func events(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await inTime(sourceLocation: sourceLocation) { [events] in _ = try await events.values(atLeast: count)
    }
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
      guard let peer = WebSocketPeer(agreeing: connection) else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      script(peer, number)
    }
  }

  /// The address with the scheme of WebSockets.
  var socketURL: String { "ws" + url().dropFirst(4) }

  /// A request for a WebSocket that no time ends.
  func socket(_ outgoing: [WebSocketOutgoing] = []) -> WebSocketRequest {
    WebSocketRequest(
      socketURL, outgoing: outgoing, backoff: Backoff(first: .seconds(1), cap: .seconds(60), jitter: 0),
      timeout: nil, idleTimeout: nil)
  }
}

extension WebSocketOutgoing {
  /// A message whose text is its number.
  static func text(_ number: Int) -> Self { Self(number, .text("\(number)")) }
}

extension WebSocketPeer {
  /// Sends every message of the client back.
  func echo() {
    while let message = message() { send(message.isText ? Code.text : Code.binary, message.payload) }
  }
}
#endif
