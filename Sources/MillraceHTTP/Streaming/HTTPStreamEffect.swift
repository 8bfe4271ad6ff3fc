import Foundation
import Millrace

/// Makes the HTTP exchanges that the state asks for, and sends each body part by part.
///
/// ```swift
/// store.connect(HTTPStreamEffect(), to: \.logs, action: AppAction.log)
/// ```
///
/// The next part is sent when the last one has been reduced: nothing piles up in the mailbox, and little in memory; see
/// ``HTTPClient/stream(_:to:)``, also for how timeouts count. The largest body counts over all parts. A request that
/// leaves the state is cancelled on the wire.
public struct HTTPStreamEffect: EffectComponent {
  private let client: HTTPClient

  /// Loads through `client`; effects may share one.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// Every request in the state.
  public func requests(in requests: Set<HTTPRequest>) -> Set<HTTPRequest> { requests }

  /// Makes one exchange and sends what it brings.
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

  /// `.failed`
  public func action(for failure: HTTPFailure, of request: HTTPRequest) -> HTTPStreamEvent {
    .failed(failure, of: request)
  }
}

/// What an ``HTTPStreamEffect`` sends: a beginning, parts and an end, or a failure at any point.
public enum HTTPStreamEvent: Hashable, Sendable {
  /// An accepted response has begun; it has no body yet. `length` in bytes, as the server announced it.
  case began(HTTPResponse, length: Int?, of: HTTPRequest)
  /// The next bytes of the body.
  case received(Data, of: HTTPRequest)
  /// The body is whole. `received` counts its bytes.
  case ended(received: Int, of: HTTPRequest)
  /// There is no such response, or the body is not whole.
  case failed(HTTPFailure, of: HTTPRequest)

  /// The request that this is about.
  public var request: HTTPRequest {
    switch self {
    case .began(_, _, let request), .received(_, let request), .ended(_, let request),
      .failed(_, let request):
      request
    }
  }
}
