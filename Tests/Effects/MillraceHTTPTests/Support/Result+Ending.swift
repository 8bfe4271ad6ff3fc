import HostileServer
import MillraceHTTP

extension Result where Success == HTTPResponse, Failure == HTTPFailure {
  /// What comes of a request.
  static func of(_ request: HTTPRequest, through client: HTTPClient) async -> Self {
    do throws(HTTPFailure) { return .success(try await client.load(request)) } catch {
      return .failure(error)
    }
  }

  /// The kind of ending that this is to a hostile server.
  var ending: HostileBehaviour.Ending? {
    switch self {
    case .success(let response) where response.status == 200:
      .answer(String(decoding: response.body, as: UTF8.self))
    case .success(let response): .status(response.status)
    case .failure(.statusNotAccepted(let status, _, _)): .status(status)
    case .failure(.cutOff): .cut
    case .failure(.notHTTP): .malformed
    case .failure(.undecodable): .undecodable
    case .failure(.bodyTooLarge): .tooLarge
    case .failure(.timedOut): .endless
    case .failure(.tooManyRedirects): .redirectLoop
    case .failure(.badURL): .badRedirect
    case .failure(.cannotConnect): .nobody
    case .failure: nil
    }
  }
}
