import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What has come of one exchange so far, and what each event of it asks to be done.
///
/// Once an outcome is decided, whatever else arrives changes nothing.
struct HTTPExchange {
  enum Next: Equatable {
    /// Nothing is decided.
    case goOn
    /// The outcome is decided; the connection is not needed any more.
    case end(Result<HTTPResponse, HTTPFailure>)
    /// Nothing: an outcome was decided before.
    case ignore
  }

  /// The largest part of an unwanted response that is kept, in bytes.
  static let largestExcerpt = 1_024

  private let request: HTTPRequest
  private let keepsBody: Bool
  private var head: HTTPResponse
  private var expected: Int?
  private var received = 0
  private var redirectCount = 0
  private var ended = false
  private var headIsTaken = false

  /// An exchange whose accepted body is a part of the response, or is counted and handed over part by part.
  init(_ request: HTTPRequest, keepsBody: Bool = true) {
    self.request = request
    self.keepsBody = keepsBody
    head = HTTPResponse(status: 0, url: request.url)
  }

  /// Whether the final response is there and accepted, as far as its head tells.
  var isAccepted: Bool { request.acceptedStatuses.contains(head.status) }

  /// The head of an accepted response, once, as soon as it is there.
  mutating func takeHead() -> HTTPStreamPart? {
    guard head.status != 0, isAccepted, !headIsTaken else { return nil }
    headIsTaken = true
    var bare = head
    bare.body = Data()
    return .head(bare, length: expected)
  }

  /// Whether a redirect, if allowed, is to be followed rather than to be the response.
  var followsRedirects: Bool { request.redirects != .stop }

  /// The server redirected to another address.
  mutating func redirected(by response: HTTPURLResponse) -> Next {
    guard !ended else { return .ignore }
    guard case .follow(let limit) = request.redirects else { return responseArrived(response) }
    guard redirectCount < limit else { return end(.failure(.tooManyRedirects(limit: limit))) }
    let location = HTTPHeaders(response)["location"] ?? ""
    let url = URL(string: location, relativeTo: response.url)
    guard let url, url.isHTTP else { return end(.failure(.badURL(location))) }
    redirectCount += 1
    return .goOn
  }

  /// The server asks for credentials, of which there are none: its answer is the response. The body is not known.
  mutating func challenged(_ response: HTTPURLResponse?) -> Next { completed(nil, response: response) }

  /// The head of the final response is there.
  mutating func responseArrived(_ response: HTTPURLResponse) -> Next {
    guard !ended else { return .ignore }
    head.status = response.statusCode
    head.url = response.url?.absoluteString ?? request.url
    head.redirectCount = redirectCount
    for case (let name as String, let value as String) in response.allHeaderFields {
      head.headers[name] = value
    }
    // A coded body has another length than the one announced, and the body of a `HEAD` never comes.
    let isCoded = !["", "identity"].contains(head.headers["content-encoding"]?.lowercased() ?? "")
    if !isCoded, request.method != "HEAD", let announced = head.headers["content-length"].flatMap({ Int($0) })
    {
      expected = announced
      if isAccepted, announced > request.largestBody {
        return end(.failure(.bodyTooLarge(limit: request.largestBody)))
      }
    }
    return .goOn
  }

  /// A part of the body is there.
  mutating func bodyArrived(_ part: Data) -> Next {
    guard !ended else { return .ignore }
    guard isAccepted || head.status == 0 else {
      head.body.append(part.prefix(Self.largestExcerpt - head.body.count))
      return head.body.count < Self.largestExcerpt ? .goOn : end(.failure(notAccepted))
    }
    guard part.count <= request.largestBody - received else {
      return end(.failure(.bodyTooLarge(limit: request.largestBody)))
    }
    received += part.count
    if keepsBody { head.body.append(part) }
    return .goOn
  }

  /// The exchange is over, with an error or without. On Linux, a redirect that leads nowhere has a response that
  /// is told here for the first time, and its body is not.
  mutating func completed(_ error: (any Error)?, response: HTTPURLResponse? = nil) -> Next {
    guard !ended else { return .ignore }
    if head.status == 0, let response {
      if case .end(let outcome) = responseArrived(response) { return .end(outcome) }
      expected = nil
    }
    if head.status != 0, !isAccepted { return end(.failure(notAccepted)) }
    if let error { return end(.failure(failure(for: error))) }
    guard head.status != 0 else { return end(.failure(.cutOff(received: 0, expected: nil))) }
    if let expected, received < expected, ![204, 304].contains(head.status) {
      return end(.failure(.cutOff(received: received, expected: expected)))
    }
    return end(.success(head))
  }

  /// The exchange is given up.
  mutating func abandoned(_ failure: HTTPFailure) -> Next {
    ended ? .ignore : end(.failure(failure))
  }

  private var notAccepted: HTTPFailure {
    .statusNotAccepted(
      status: head.status, headers: head.headers,
      excerpt: String(decoding: head.body.prefix(Self.largestExcerpt), as: UTF8.self))
  }

  private mutating func end(_ outcome: Result<HTTPResponse, HTTPFailure>) -> Next {
    ended = true
    return .end(outcome)
  }

  private func failure(for error: any Error) -> HTTPFailure {
    let failure = HTTPFailure(error, of: request)
    return head.status == 0 || failure == .cancelled || failure == .timedOut
      ? failure : .cutOff(received: received, expected: expected)
  }
}

extension HTTPHeaders {
  init(_ response: HTTPURLResponse) {
    self.init()
    for case (let name as String, let value as String) in response.allHeaderFields { self[name] = value }
  }
}

extension URL {
  /// Whether this is an absolute address of a server that speaks HTTP.
  var isHTTP: Bool {
    guard let scheme = absoluteURL.scheme?.lowercased(), let host = absoluteURL.host else { return false }
    return ["http", "https"].contains(scheme) && !host.isEmpty
  }
}
