import Foundation
import Millrace
import MillraceEffects

/// An HTTP client with bounds on time, redirects and size.
///
/// ```swift
/// let page = try await HTTPClient().load(HTTPRequest("https://example.org/"))
/// ```
///
/// A client has one connection pool, keeps no cookies, cache or credentials, and closes its connections when its last
/// reference is released. Use one client for many requests. Whatever a server sends, an exchange ends with a response
/// or with one ``HTTPFailure``, and takes no more memory than the request allows. The page ``MillraceHTTP`` describes
/// when a request may reach a server twice.
///
/// On Apple systems the client uses `URLSession`. On Linux it uses the system's `libcurl.so.4`, 7.68.0 or newer,
/// which is loaded with the first request:
///
/// - If libcurl is missing or older, each request fails with ``HTTPFailure/unsupported(_:)``. A statically linked
///   program cannot load it and is not supported.
/// - A client has one thread while an exchange is in progress, and none otherwise. The thread handles no signals. Up to
///   32 more threads look up names. A look-up ends when the name server has answered or failed, even if its exchange
///   was cancelled before.
/// - Up to 16 idle connections are kept for later requests. A connection is closed when its server closes it. It is not
///   used again if it has unread input, or if a request over it timed out and nothing came back over it. Before version
///   7.80 of libcurl, each request has a connection of its own.
/// - A server that sends faster than its answer is consumed is slowed down: at most about 256 KiB of an answer wait in
///   memory.
/// - HTTP/2 is used over TLS with servers that offer it.
/// - Proxies are taken from the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as libcurl reads
///   them.
/// - Certificates are checked against the system's authorities, or against the file `SSL_CERT_FILE` and the folder
///   `SSL_CERT_DIR` if the environment names them at the first request. An empty variable counts as unset.
/// - Child processes inherit no connection.
/// - WebSockets have an effect of their own, ``WebSocketEffect``, which needs no client.
///
/// A test passes a client whose requests a closure answers, without a network: ``init(clock:answering:)``.
public final class HTTPClient: Sendable {
  /// The largest number of redirects that are followed, whatever a request allows.
  public static let mostRedirects = 20

  private let transport: any HTTPTransport
  private let underWay = Lock(0)
  let clock: any Clock<Duration>
  /// Whether requests have timeouts.
  let isTimed: Bool

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - connectionsPerHost: the largest number of exchanges with one server at a time, and so of open connections to
  ///     it; further exchanges wait. Streams have connections of their own and do not count.
  ///   - clock: the clock of the requests' timeouts.
  public convenience init(connectionsPerHost: Int = 6, clock: any Clock<Duration> = ContinuousClock()) {
    #if canImport(Darwin)
    self.init(transport: URLSessionTransport(connectionsPerHost: connectionsPerHost), clock: clock)
    #else
    self.init(transport: CurlTransport(connectionsPerHost: connectionsPerHost), clock: clock)
    #endif
  }

  /// Makes a client whose requests are answered by a closure, for tests and previews. Nothing is sent.
  ///
  /// ```swift
  /// let http = HTTPClient { request in
  ///   guard request.url == "https://example.org/feed" else { return HTTPResponse(status: 404) }
  ///   return HTTPResponse(body: Data("news".utf8))
  /// }
  /// ```
  ///
  /// Everything else happens as with a server: requests are checked, redirects followed, bodies decoded and limited,
  /// statuses accepted or not. A status that the request does not accept is thrown as
  /// ``HTTPFailure/statusNotAccepted(status:headers:excerpt:)``; a policy such as `retried` calls the closure again.
  ///
  /// - Parameters:
  ///   - clock: the clock of the requests' timeouts. On a test clock, no timeout ends before the test advances it.
  ///     Without a clock there are no timeouts, so that no test depends on the speed of the machine.
  ///   - answer: returns the response to each request, and to each redirected one. Called in a task of its own, which
  ///     is cancelled with the exchange; it may run several times at once, and may wait at a gate. The request has the
  ///     address without fragment and credentials, the method, the body, and the headers with those that the client
  ///     adds, such as `if-none-match`. Its other properties have their defaults. Of the response, only `status`,
  ///     `headers` and `body` are used. A stream receives the body as one part. An ``HTTPFailure`` that the closure
  ///     throws becomes that of the exchange; any other error becomes ``HTTPFailure/other(_:)``.
  public convenience init(
    clock: (any Clock<Duration>)? = nil,
    answering answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) {
    self.init(
      transport: AnsweringTransport(answer: answer), clock: clock ?? ContinuousClock(), isTimed: clock != nil)
  }

  init(transport: any HTTPTransport, clock: any Clock<Duration> = ContinuousClock(), isTimed: Bool = true) {
    self.transport = transport
    self.clock = clock
    self.isTimed = isTimed
  }

  /// The number of exchanges in progress.
  public var exchangesUnderWay: Int { underWay.withLock { $0 } }

  /// Sends a request and returns the response.
  ///
  /// Callable from any task. Cancelling the task cancels the exchange and throws ``HTTPFailure/cancelled`` at once.
  ///
  /// - Throws: the reason why there is no response that `request` accepts.
  public func load(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let body = request.body.map(HTTPBody.data) ?? .none
    return try await load(request, HTTPMessage(request, body: body, hasOwnConnection: false))
  }

  /// Sends a message that was made of `request`.
  func load(_ request: HTTPRequest, _ message: HTTPMessage) async throws(HTTPFailure) -> HTTPResponse {
    let control = ExchangeControl()
    guard isTimed, let timeout = request.timeout else {
      return try await whole(request, message, control).get()
    }
    let outcome = await timed(control) {
      await self.clock.waits(timeout)
    } exchange: {
      await whole(request, message, control)
    }
    return try outcome.get()
  }

  /// Makes an exchange. It ends when `isLate` returns true meanwhile.
  nonisolated(nonsending) func timed(
    _ control: ExchangeControl, isLate: @escaping @Sendable () async -> Bool,
    exchange: nonisolated(nonsending) () async -> Result<HTTPResponse, HTTPFailure>
  ) async -> Result<HTTPResponse, HTTPFailure> {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        if await isLate() { control.abandon(.timedOut) }
      }
      let outcome = await exchange()
      group.cancelAll()
      return outcome
    }
  }

  /// Returns the response with its whole body.
  private nonisolated(nonsending) func whole(
    _ request: HTTPRequest, _ message: HTTPMessage, _ control: ExchangeControl
  ) async -> Result<HTTPResponse, HTTPFailure> {
    var body = Data()
    var response = await answer(request, message, control) { part in
      if case .body(let bytes) = part { body.append(bytes) }
      return .goOn
    }
    if case .success(var whole) = response {
      whole.body = body
      response = .success(whole)
    }
    return response
  }

  /// Makes one exchange as a wait with a reason, since another task of the run waits for the timeout. The waits of the
  /// transport and of `receive` are inside this wait.
  nonisolated(nonsending) func answer(
    _ request: HTTPRequest, _ message: HTTPMessage, _ control: ExchangeControl, _ listening: Listening? = nil,
    to receive: nonisolated(nonsending) (HTTPStreamPart) async -> HTTPStreamDecision
  ) async -> Result<HTTPResponse, HTTPFailure> {
    await withWaitReason(message.waitReason) {
      await exchange(request, message, control, listening, to: receive)
    }
  }

  /// Makes one exchange, and delivers the accepted parts. `control` or a cancellation of the task ends it.
  nonisolated(nonsending) func exchange(
    _ request: HTTPRequest, _ message: HTTPMessage, _ control: ExchangeControl, _ listening: Listening?,
    to receive: nonisolated(nonsending) (HTTPStreamPart) async -> HTTPStreamDecision
  ) async -> Result<HTTPResponse, HTTPFailure> {
    underWay.withLock { $0 += 1 }
    defer { underWay.withLock { $0 -= 1 } }
    return await withTaskCancellationHandler {
      var exchange = HTTPExchange(request, message: message)
      while control.failure == nil {
        let transfer = transport.begin(exchange.message)
        control.continues(with: transfer)
        defer { transfer.abandon(.cancelled) }  // if the exchange did not read it to its end
        var reading = ExchangeReading(transfer: transfer, listening: listening)
        if let outcome = await reading.outcome(of: &exchange, to: receive) { return outcome }
      }
      return .failure(control.failure ?? .cancelled)
    } onCancel: {
      control.abandon(.cancelled)
    }
  }
}
