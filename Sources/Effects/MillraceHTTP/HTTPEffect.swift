import Millrace

/// Sends the HTTP requests that the state asks for, each once.
///
/// ```swift
/// store.connect(HTTPEffect(), to: \.downloads, action: AppAction.http)
/// ```
///
/// When a request leaves the state, its exchange is cancelled on the wire. Each outcome is sent as an ``HTTPEvent``.
/// To limit the number of exchanges at once, use `limited(to:)`.
public struct HTTPEffect: EffectComponent {
  private let client: HTTPClient

  /// Makes an effect that uses `client`, which effects may share.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// Returns every request in the state.
  public func requests(in requests: Set<HTTPRequest>) -> Set<HTTPRequest> { requests }

  /// Sends one request, and sends its response as an event.
  public func run(_ request: HTTPRequest, send: Send<HTTPEvent>) async throws(HTTPFailure) {
    await send(.response(try await client.load(request), to: request))
  }

  /// Returns ``HTTPEvent/failed(_:of:)``.
  public func action(for failure: HTTPFailure, of request: HTTPRequest) -> HTTPEvent {
    .failed(failure, of: request)
  }
}

/// The outcome of a request of an ``HTTPEffect``: one for each request that is not stopped before.
public enum HTTPEvent: Hashable, Sendable {
  /// A response whose status the request accepts.
  case response(HTTPResponse, to: HTTPRequest)
  /// There is no response that the request accepts.
  case failed(HTTPFailure, of: HTTPRequest)

  /// The request of this outcome.
  public var request: HTTPRequest {
    switch self {
    case .response(_, let request), .failed(_, let request): request
    }
  }
}
