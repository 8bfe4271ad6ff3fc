import Millrace
import MillraceEffects

/// Keeps open the WebSockets that the state asks for, sends the messages that they should carry, and receives.
///
/// ```swift
/// store.connect(WebSocketEffect(), to: \.sockets, action: ShopAction.socket, longRunning: true)
/// ```
///
/// A run lasts as long as its request is in the state. When a connection ends for a transient reason, the effect
/// connects again after a delay; see ``WebSocketEnd/isTransient``. It sends each change of the connection's status.
/// When the request leaves the state, the connection is closed with code 1000. It is cut after
/// ``WebSocketRequest/closingTime`` if the server does not agree.
///
/// A request whose ``WebSocketRequest/outgoing`` changes is handed over to the open connection, which sends each
/// message once. ``WebSocketEvent/sent(_:over:)`` means that a message has left the program, not that the server has
/// it. So keep a message in the state until the server has acknowledged it in the program's own protocol. A new
/// connection sends the remaining messages again, in order. A server that recognises the numbers that it has received
/// then takes each message once.
///
/// ```swift
/// struct Shop: Equatable, Sendable {
///   var isOpen = false
///   var isLive = false
///   var lastNumber = 0
///   var unacknowledged: [WebSocketOutgoing] = []
///   var sockets: Set<WebSocketRequest> {
///     isOpen ? [WebSocketRequest("wss://example.org/orders", outgoing: unacknowledged)] : []
///   }
/// }
/// ```
///
/// The next event is sent after the last one has been reduced. A server that sends faster is slowed down when about 256
/// KiB wait in memory. Pings are answered. Redirects are not followed, and compression is not offered.
///
/// A breaker guards the connecting, not the connection. An attempt counts as good when the WebSocket is open, and as
/// failed if it ends before that for a transient reason. While the breaker is open, no attempts are made: the next one
/// follows as after a failure, and not before the breaker lets one through. Pass the breaker as to an
/// ``EventSourceEffect``.
///
/// On Linux the effect uses libcurl as ``HTTPClient`` does, from version 7.68.0, with the same proxies and
/// certificates. It uses only the library's connections (`CURLOPT_CONNECT_ONLY`), so a library that was built without
/// WebSockets suffices. All effects of a process share one thread, which exists while there is a connection. On Apple
/// systems each request ends with ``HTTPFailure/unsupported(_:)``.
public struct WebSocketEffect: HandoverEffectComponent {
  /// The events.
  public typealias Action = WebSocketEvent

  /// Begins to connect, as ``CurlSockets/open(_:)`` does.
  private let open: @Sendable (HTTPAddress) -> WebSocketChannel
  private let clock: any Clock<Duration>
  private let breaker: @Sendable (WebSocketRequest) -> CircuitBreaker?

  /// Makes an effect whose timeouts and delays are measured on `clock`.
  ///
  /// - Parameter breaker: returns the breaker of a request, such as that of its host; `nil` for none. Called before
  ///   each attempt to connect, in the task of the run.
  public init(
    clock: any Clock<Duration> = ContinuousClock(),
    breaker: @escaping @Sendable (WebSocketRequest) -> CircuitBreaker? = { _ in nil }
  ) {
    #if canImport(Darwin)
    self.init(clock: clock, breaker: breaker) { _ in
      let channel = WebSocketChannel()
      channel.ended(.unsupported("WebSockets need libcurl, which is used on Linux alone"))
      return channel
    }
    #else
    self.init(clock: clock, breaker: breaker, open: CurlSockets.shared.open)
    #endif
  }

  init(
    clock: any Clock<Duration>, breaker: @escaping @Sendable (WebSocketRequest) -> CircuitBreaker?,
    open: @escaping @Sendable (HTTPAddress) -> WebSocketChannel
  ) {
    (self.open, self.clock, self.breaker) = (open, clock, breaker)
  }

  /// Returns the request without its messages, so that a request with other messages is handed over.
  public func id(of request: WebSocketRequest) -> WebSocketRequest { request.withoutOutgoing }

  /// Returns every request in the state. If two differ only in their messages, the store reports it.
  public func requests(in sockets: Set<WebSocketRequest>) -> Set<WebSocketRequest> { sockets }

  /// Keeps one WebSocket open until it ends permanently or the run is stopped.
  public func run(
    following requests: RequestUpdates<WebSocketRequest>, send: Send<WebSocketEvent>
  ) async {
    let newest = NewestRequest(requests.first)
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for await request in requests { newest.handedOver(request) } }
        await follow(newest, send)
        group.cancelAll()
      }
    } onCancel: {
      newest.stopped()
    }
  }

  private func follow(_ newest: NewestRequest, _ send: Send<WebSocketEvent>) async {
    let request = newest.value.withoutOutgoing
    var attempts = WebSocketAttempts(request)
    while await send(.status(.connecting(attempt: attempts.attempt), of: request)) == .reduced {
      let ended: (end: WebSocketEnd, wasUsed: Bool)?
      var refusal: CircuitRefusal?
      do throws(CircuitRefusal) {
        let attempt = try CircuitAttempt(breaker(request))
        let watched = Send<WebSocketEvent> { event in
          if case .status(.open, of: _) = event { attempt.connected() }
          return await send(event)
        }
        ended = await connect(newest, watched)
        if let end = ended?.end, !Task.isCancelled {
          attempt.failed(counts: end.isTransient)
        } else {
          attempt.stopped()
        }
      } catch {
        (ended, refusal) = ((.failed(.http(.cannotConnect("\(error)"))), false), error)
      }
      guard let (end, wasUsed) = ended, !Task.isCancelled else { return }
      guard let own = attempts.connectionEnded(end, wasUsed: wasUsed) else {
        await send(.status(.closed(end), of: request))
        return
      }
      let delay = max(own, refusal?.retryDelay ?? .zero)
      guard await send(.status(.waiting(delay: delay, after: end), of: request)) == .reduced else { return }
      guard await clock.waits(delay, for: "the next attempt in \(delay.text)") else { return }
    }
  }

  /// Makes one connection. Returns how it ended; `nil` if the run was stopped.
  private func connect(
    _ newest: NewestRequest, _ send: Send<WebSocketEvent>
  ) async -> (WebSocketEnd, wasUsed: Bool)? {
    do throws(WebSocketFailure) {
      var connection = try WebSocketConnection(newest, by: open, clock: clock, send: send)
      let (end, wasUsed) = await connection.run()
      return end.map { ($0, wasUsed) }
    } catch {
      return (.failed(error), false)
    }
  }
}
