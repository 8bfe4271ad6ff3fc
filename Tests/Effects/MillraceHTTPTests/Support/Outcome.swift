import HostileServer
import MillraceHTTP
import MillraceTesting

/// What comes of a request.
func outcome(
  of request: HTTPRequest, clock: any Clock<Duration> = TestClock()
) async -> Result<HTTPResponse, HTTPFailure> {
  do throws(HTTPFailure) { return .success(try await HTTPClient(clock: clock).load(request)) } catch {
    return .failure(error)
  }
}

/// What comes of a `GET` at a server that follows a script.
func outcome(
  path: String = "/", script: @escaping @Sendable (LoopbackConnection) -> Void,
  _ change: (inout HTTPRequest) -> Void = { _ in }
) async throws -> Result<HTTPResponse, HTTPFailure> {
  let server = try LoopbackServer(script)
  var request = HTTPRequest(server.url(path), timeout: nil)
  change(&request)
  let outcome = await outcome(of: request)
  await server.stop()
  return outcome
}

func outcome(
  answer: String, _ change: (inout HTTPRequest) -> Void = { _ in }
) async throws -> Result<HTTPResponse, HTTPFailure> {
  try await outcome(script: { if $0.readHead() != nil { $0.write(answer) } }, change)
}
