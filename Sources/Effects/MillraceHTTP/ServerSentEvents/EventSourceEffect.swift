import Millrace
import MillraceEffects

/// Follows the streams of server-sent events that the state asks for.
///
/// ```swift
/// store.connect(EventSourceEffect(), to: \.feeds, action: AppAction.feed, longRunning: true)
/// ```
///
/// A run lasts as long as its request is in the state. When the connection ends, the effect connects again after a
/// delay and asks for the events after the last complete one. It sends each change of the connection's status. The next
/// event is sent after the last one has been reduced.
///
/// As the HTML standard requires, an answer of 204, a status that is not transient, and another content type end a
/// stream permanently. Unlike in the standard, a transient failure such as 503 does not; see
/// ``HTTPFailure/isTransient``. ``HTTPClient/stream(_:to:)`` describes how many bytes may wait in memory.
///
/// A breaker guards the connecting, not the stream. An attempt counts as good when the server has answered, however
/// long the stream lasts and however it ends. It counts as failed if there is no answer or a transient failure. While
/// the breaker is open, no attempts are made: the stream waits for its next one as after a failure, and at least until
/// the breaker lets one through:
///
/// ```swift
/// let breaker = CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))
/// store.connect(
///   EventSourceEffect(breaker: { _ in breaker }), to: \.feeds, action: AppAction.feed, longRunning: true)
/// ```
public struct EventSourceEffect: EffectComponent {
  private let client: HTTPClient
  private let breaker: @Sendable (EventSourceRequest) -> CircuitBreaker?

  /// Makes an effect that uses `client` and waits on its clock. Effects may share a client.
  ///
  /// - Parameter breaker: returns the breaker of a request, such as that of its host; `nil` for none. Called before
  ///   each attempt to connect, in the task of the run.
  public init(
    client: HTTPClient = HTTPClient(),
    breaker: @escaping @Sendable (EventSourceRequest) -> CircuitBreaker? = { _ in nil }
  ) {
    (self.client, self.breaker) = (client, breaker)
  }

  /// Returns every request in the state.
  public func requests(in sources: Set<EventSourceRequest>) -> Set<EventSourceRequest> { sources }

  /// Follows one stream until it ends permanently or the run is stopped.
  public func run(_ source: EventSourceRequest, send: Send<EventSourceEvent>) async {
    var session = EventSourceSession(source)
    while await send(.status(.connecting(attempt: session.attempt), of: source)) == .reduced {
      let (failure, refusal) = await attempt(source, &session, send)
      if Task.isCancelled { return }
      switch session.connectionEnded(failure) {
      case .close(let end):
        await send(.status(.closed(end), of: source))
        return
      case .connect(let own):
        let delay = max(own, refusal?.retryDelay ?? .zero)
        guard await send(.status(.waiting(delay: delay, after: failure), of: source)) == .reduced else {
          return
        }
        guard await client.clock.waits(delay, for: "the next attempt in \(delay.text)") else { return }
      }
    }
  }

  /// Makes one connection if the breaker allows it. Returns the reason why it ended, if not normally.
  private func attempt(
    _ source: EventSourceRequest, _ session: inout EventSourceSession, _ send: Send<EventSourceEvent>
  ) async -> (HTTPFailure?, CircuitRefusal?) {
    do throws(CircuitRefusal) {
      let attempt = try CircuitAttempt(breaker(source))
      let watched = Send<EventSourceEvent> { event in
        if case .status(.open, of: _) = event { attempt.connected() }
        return await send(event)
      }
      let failure = await follow(source, &session, watched)
      if Task.isCancelled { attempt.stopped() } else { attempt.failed(counts: failure?.isTransient ?? false) }
      return (failure, nil)
    } catch {
      return (.cannotConnect("\(error)"), error)
    }
  }

  /// Makes one connection. Returns the reason why it ended, if not normally.
  private func follow(
    _ source: EventSourceRequest, _ session: inout EventSourceSession, _ send: Send<EventSourceEvent>
  ) async -> HTTPFailure? {
    let silence = HTTPClient.Silence(
      beforeHead: source.request.timeout, afterHead: source.idleTimeout, isEndless: true)
    do throws(HTTPFailure) {
      try await client.stream(session.request, silence: silence) { part in
        switch part {
        case .head(let head, _):
          guard session.headArrived(head) else { return .stop }
          return await send(.status(.open, of: source)) == .reduced ? .goOn : .stop
        case .body(let bytes):
          for event in session.bytesArrived(bytes) {
            guard await send(.received(event, from: source)) == .reduced else { return .stop }
          }
          return session.isOpen ? .goOn : .stop
        }
      }
      return nil
    } catch {
      return error
    }
  }
}
