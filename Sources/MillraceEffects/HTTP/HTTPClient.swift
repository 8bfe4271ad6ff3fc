import Foundation
import Millrace

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads over HTTP with bounds on everything: time, redirects, size.
///
/// ```swift
/// let page = try await HTTPClient().load(HTTPRequest("https://example.org/"))
/// ```
///
/// A client has one connection pool, keeps no cookies, cache or credentials, and closes its connections when
/// the last reference to it goes. Use one for many requests.
///
/// What the system leaves open on Linux, where `URLSession` is what loads:
///
/// - Up to Swift 6.3 a server that closes its connection within the head of an answer, after the first line and
///   before the empty one, ends the process (swift-corelibs-foundation, issue 5285, mended after that).
/// - All sessions of a process read in one thread. While bodies come faster than it can read, which takes a server on
///   the same machine or nearly so, other exchanges wait, and so does the end of these: a body that is not wanted any
///   more may go on flooding in. It is not kept.
/// - An exchange whose connection had to be made, rather than found open, takes most of a core until it has ended: the
///   session never stops asking whether it could write.
/// - The body of a 401 that asks for credentials, and of a redirect without an address, is not told.
/// - There are no WebSockets: the system's libcurl is built without them.
public final class HTTPClient: Sendable {
  /// The most redirects that are ever followed, whatever a request allows.
  public static let mostRedirects = 20

  private let session: URLSession
  private let delegate = HTTPSessionDelegate()
  private let configuration: URLSessionConfiguration
  private let streams = Lock(0)
  let clock: any Clock<Duration>

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - connectionsPerHost: the most connections that are open to one host at a time.
  ///   - clock: what measures the timeouts of requests.
  public init(connectionsPerHost: Int = 6, clock: any Clock<Duration> = ContinuousClock()) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = max(1, connectionsPerHost)
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    self.configuration = configuration
    session = Self.session(configuration, delegate)
    self.clock = clock
  }

  deinit { delegate.cancel(session) }

  /// How many exchanges are under way.
  public var exchangesUnderWay: Int { delegate.count + streams.withLock { $0 } }

  /// Makes one exchange.
  ///
  /// Callable from any task. Cancelling the task cancels the exchange and throws `.cancelled` at once.
  ///
  /// - Throws: why there is no response that `request` accepts.
  public func load(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    try await load(request, body: .data)
  }

  /// Where the body of a request is.
  enum Body: Sendable {
    /// In the request.
    case data
    /// In a file. `sent` is called with each number of bytes that was sent, in the thread that sends.
    case file(String, sent: @Sendable (Int) -> Void)
  }

  func load(_ request: HTTPRequest, body: Body) async throws(HTTPFailure) -> HTTPResponse {
    let urlRequest = try urlRequest(for: request)
    let task = await delegate.task(for: urlRequest, body, in: session)
    delegate.prepare(request, body, task: task)
    guard let timeout = request.timeout else { return try await outcome(of: task).get() }
    let (clock, delegate) = (clock, delegate)
    let outcome = await withTaskGroup(of: HTTPSessionDelegate.Outcome?.self) { group in
      group.addTask { await self.outcome(of: task) }
      group.addTask {
        guard await clock.waits(timeout) else { return nil }
        delegate.abandon(task, because: .timedOut)
        return nil
      }
      var outcome: HTTPSessionDelegate.Outcome?
      while outcome == nil, let next = await group.next() { outcome = next }
      group.cancelAll()
      return outcome ?? .failure(.cancelled)
    }
    return try outcome.get()
  }

  /// A session of one stream, which leads what it reads to the stream's pipe.
  func session(of delegate: HTTPSessionDelegate) -> URLSession { Self.session(configuration, delegate) }

  private static func session(
    _ configuration: URLSessionConfiguration, _ delegate: HTTPSessionDelegate
  ) -> URLSession {
    #if canImport(FoundationNetworking)
    URLSession(configuration: configuration, delegate: delegate, delegateQueue: CallingThreadQueue())
    #else
    URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    #endif
  }

  func streamBegan() { streams.withLock { $0 += 1 } }
  func streamEnded() { streams.withLock { $0 -= 1 } }

  private func outcome(of task: URLSessionTask) async -> HTTPSessionDelegate.Outcome {
    await withTaskCancellationHandler {
      await delegate.outcome(of: task)
    } onCancel: {
      delegate.abandon(task, because: .cancelled)
    }
  }

  func urlRequest(for request: HTTPRequest) throws(HTTPFailure) -> URLRequest {
    guard let url = URL(string: request.url), url.isHTTP else { throw .badURL(request.url) }
    guard request.method.isToken else { throw .badField(request.method) }
    for name in request.headers.names where !name.isToken || request.headers[name]?.isFieldValue != true {
      throw .badField(name)
    }
    var urlRequest = URLRequest(url: url)
    urlRequest.httpMethod = request.method
    urlRequest.httpBody = request.body
    urlRequest.timeoutInterval = 7 * 86_400  // the request's own timeout is measured by the client's clock
    for name in request.headers.names { urlRequest.setValue(request.headers[name], forHTTPHeaderField: name) }
    return urlRequest
  }
}

extension String {
  /// Whether this can be a method or the name of a header field.
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        let character = Character(UnicodeScalar(byte))
        return byte < 128
          && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
      }
  }

  /// Whether this can be the value of a header field: a line break in it would begin another field.
  fileprivate var isFieldValue: Bool { utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 } }
}
