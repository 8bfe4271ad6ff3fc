import Millrace

/// Makes the HTTP exchanges that the state asks for, each once.
///
/// ```swift
/// store.connect(HTTPEffect(), to: \.downloads, action: AppAction.http)
/// ```
///
/// A request that leaves the state is cancelled on the wire. Every outcome comes back as an ``HTTPEvent``. To
/// have at most so many exchanges at once, use `limited(to:)`.
public struct HTTPEffect: EffectComponent {
  private let client: HTTPClient

  /// Loads through `client`; effects may share one.
  public init(client: HTTPClient = HTTPClient()) { self.client = client }

  /// Every request in the state.
  public func requests(in requests: Set<HTTPRequest>) -> Set<HTTPRequest> { requests }

  /// Makes one exchange and sends its response.
  public func run(_ request: HTTPRequest, send: Send<HTTPEvent>) async throws(HTTPFailure) {
    await send(.response(try await client.load(request), to: request))
  }

  /// `.failed`
  public func action(for failure: HTTPFailure, of request: HTTPRequest) -> HTTPEvent {
    .failed(failure, of: request)
  }
}

/// What an ``HTTPEffect`` sends: one for each request, unless it was stopped before.
public enum HTTPEvent: Hashable, Sendable {
  /// A response whose status the request accepts.
  case response(HTTPResponse, to: HTTPRequest)
  /// There is no such response.
  case failed(HTTPFailure, of: HTTPRequest)

  /// The request that this is the outcome of.
  public var request: HTTPRequest {
    switch self {
    case .response(_, let request), .failed(_, let request): request
    }
  }
}
