import Foundation
import HostileServer
import MillraceHTTP
import MillraceTesting

extension Result where Success == HTTPResponse, Failure == HTTPFailure {
  /// What comes of a request.
  static func of(_ request: HTTPRequest, through client: HTTPClient = HTTPClient(clock: TestClock())) async
    -> Self
  {
    do throws(HTTPFailure) { return .success(try await client.load(request)) } catch {
      return .failure(error)
    }
  }

  var failure: HTTPFailure? { if case .failure(let failure) = self { failure } else { nil } }

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

extension HTTPFailure {
  /// The status of an answer that is not accepted.
  var status: Int? { if case .statusNotAccepted(let status, _, _) = self { status } else { nil } }
  var isNotHTTP: Bool { if case .notHTTP = self { true } else { false } }
  var isTLS: Bool { if case .tls = self { true } else { false } }
}

extension HTTPUploadFailure {
  var loading: HTTPFailure? { if case .loading(let failure) = self { failure } else { nil } }
}

extension HTTPDownloadFailure {
  var loading: HTTPFailure? { if case .loading(let failure) = self { failure } else { nil } }
}

/// What comes of a `GET` at a server that follows a script.
func outcome(
  script: @escaping @Sendable (LoopbackConnection) -> Void, _ change: (inout HTTPRequest) -> Void = { _ in }
) async throws -> Result<HTTPResponse, HTTPFailure> {
  let server = try LoopbackServer(script)
  var request = HTTPRequest(server.url(), timeout: nil)
  change(&request)
  let outcome = await Result.of(request)
  await server.stop()
  return outcome
}

func outcome(
  answer: String, _ change: (inout HTTPRequest) -> Void = { _ in }
) async throws -> Result<HTTPResponse, HTTPFailure> {
  try await outcome(script: { if $0.readHead() != nil { $0.write(answer) } }, change)
}

/// Bytes of which no two parts are alike.
func variedBytes(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}
