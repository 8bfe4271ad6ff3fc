import Foundation
import Millrace

/// Sends the HTTP requests that the state asks for, and sends each body in parts.
///
/// ```swift
/// store.connect(HTTPStreamEffect(), to: \.logs, action: AppAction.log)
/// ```
///
/// The next part is sent after the last one has been reduced, so parts do not accumulate in the mailbox or in memory.
/// See ``HTTPClient/stream(_:to:)``, also for timeouts. The largest body limits the sum of all parts. When a request
/// leaves the state, its exchange is cancelled on the wire.
public struct HTTPStreamEffect: EffectComponent {
  private let client: HTTPClient

  /// Makes an effect that uses `client`, which effects may share.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// Returns every request in the state.
  public func requests(in requests: Set<HTTPRequest>) -> Set<HTTPRequest> { requests }

  /// Sends one request, and sends its response in parts.
  public func run(_ request: HTTPRequest, send: Send<HTTPStreamEvent>) async throws(HTTPFailure) {
    var received = 0
    try await client.stream(request) { part in
      let event: HTTPStreamEvent
      switch part {
      case .head(let response, let length): event = .began(response, length: length, of: request)
      case .body(let bytes):
        received += bytes.count
        event = .received(bytes, of: request)
      }
      return await send(event) == .reduced ? .goOn : .stop
    }
    await send(.ended(received: received, of: request))
  }

  /// Returns ``HTTPStreamEvent/failed(_:of:)``.
  public func action(for failure: HTTPFailure, of request: HTTPRequest) -> HTTPStreamEvent {
    .failed(failure, of: request)
  }
}

/// An event of a stream: `began`, then `received` for each part, then `ended`; or `failed` at any point.
public enum HTTPStreamEvent: Hashable, Sendable {
  /// An accepted response has begun. It has no body yet. `length` is its size in bytes, if the server announced it.
  case began(HTTPResponse, length: Int?, of: HTTPRequest)
  /// The next bytes of the body.
  case received(Data, of: HTTPRequest)
  /// The body is complete. `received` is its size in bytes.
  case ended(received: Int, of: HTTPRequest)
  /// There is no response that the request accepts, or its body is incomplete.
  case failed(HTTPFailure, of: HTTPRequest)

  /// The request of this event.
  public var request: HTTPRequest {
    switch self {
    case .began(_, _, let request), .received(_, let request), .ended(_, let request),
      .failed(_, let request):
      request
    }
  }
}
