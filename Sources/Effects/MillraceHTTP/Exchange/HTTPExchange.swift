import Foundation

/// The state of one exchange, over all of its redirects. Decides the step after each event.
struct HTTPExchange {
  enum Next: Equatable {
    /// Nothing. Continue to read.
    case goOn
    /// The response with this head is accepted. `coding` is the coding of its body.
    case accept(HTTPResponse, length: Int?, coding: BodyCoding)
    /// These bytes are a part of the accepted body.
    case deliver(Data)
    /// Send `message` next, and read nothing more of this answer.
    case redirect
    /// The exchange is over.
    case end(Result<HTTPResponse, HTTPFailure>)
  }

  private enum Phase {
    case head, accepted, notAccepted
    case redirecting(HTTPMessage)
  }

  /// The largest part of an unwanted response that is kept, in bytes.
  static let largestExcerpt = 1_024
  /// The number of bytes that are read of a redirect's body, so that the connection can be used again.
  static let largestRedirectBody = 64 << 10

  /// The message to send.
  private(set) var message: HTTPMessage
  private let request: HTTPRequest
  private var phase = Phase.head
  private var response: HTTPResponse
  private var excerpt = Data()
  private var expected: Int?
  private var received = 0
  private var redirectCount = 0

  init(_ request: HTTPRequest, message: HTTPMessage) {
    self.request = request
    self.message = message
    response = HTTPResponse(status: 0, url: message.address.shown)
  }

  /// The head of an answer has arrived.
  mutating func headArrived(_ head: HTTPHead) -> Next {
    do throws(HTTPFailure) { return try next(after: head) } catch { return .end(.failure(error)) }
  }

  private mutating func next(after head: HTTPHead) throws(HTTPFailure) -> Next {
    (expected, received) = (nil, 0)
    response = HTTPResponse(
      status: head.status, headers: head.headers, url: message.address.shown, redirectCount: redirectCount)
    response.headers.secretNames = request.headers.secretNames
    let framing = try BodyFraming(head, method: message.method)
    let location = try Self.location(in: head)
    if case .follow(let limit) = request.redirects, let location {
      let most = min(limit, HTTPClient.mostRedirects)
      guard redirectCount < most else { throw .tooManyRedirects(limit: most) }
      phase = .redirecting(try message.redirected(status: head.status, to: location))
      return framing.length ?? 0 > Self.largestRedirectBody ? redirect() : .goOn
    }
    guard request.accepts(head.status) else {
      phase = .notAccepted
      return .goOn
    }
    phase = .accepted
    let coding =
      framing.hasBody ? BodyCoding(head.headers, asked: request.headers["accept-encoding"]) : .identity
    if coding == .identity, framing.hasBody {
      expected = framing.length
      if let expected, expected > request.largestBody { throw .bodyTooLarge(limit: request.largestBody) }
    }
    return .accept(response, length: expected, coding: coding)
  }

  /// The coding of the body of an answer that is not accepted.
  var excerptCoding: BodyCoding { BodyCoding(response.headers, asked: request.headers["accept-encoding"]) }

  /// A decoded part of the body has arrived. The body of a redirect is not decoded.
  mutating func bodyArrived(_ part: Data) -> Next {
    switch phase {
    case .head: return .goOn
    case .redirecting:
      received += part.count
      return received > Self.largestRedirectBody ? redirect() : .goOn
    case .notAccepted:
      excerpt.append(part.prefix(Self.largestExcerpt - excerpt.count))
      return excerpt.count < Self.largestExcerpt ? .goOn : .end(.failure(notAccepted))
    case .accepted:
      guard part.count <= request.largestBody - received else {
        return .end(.failure(.bodyTooLarge(limit: request.largestBody)))
      }
      received += part.count
      return .deliver(part)
    }
  }

  /// The answer has ended, with a failure or without.
  mutating func ended(_ failure: HTTPFailure?) -> Next {
    if failure == .cancelled || failure == .timedOut, let failure { return .end(.failure(failure)) }
    switch phase {
    case .redirecting: return redirect()
    case .notAccepted: return .end(.failure(notAccepted))
    case .head: return .end(.failure(failure ?? .cutOff(received: 0, expected: nil)))
    case .accepted:
      if case .cutOff = failure { return .end(.failure(.cutOff(received: received, expected: expected))) }
      if let failure { return .end(.failure(failure)) }
      if let expected, received < expected {
        return .end(.failure(.cutOff(received: received, expected: expected)))
      }
      return .end(.success(response))
    }
  }

  /// Whether the body is read.
  var readsBody: Bool {
    switch phase {
    case .accepted, .notAccepted: true
    case .head, .redirecting: false
    }
  }

  private mutating func redirect() -> Next {
    guard case .redirecting(let next) = phase else { return .goOn }
    message = next
    phase = .head
    redirectCount += 1
    return .redirect
  }

  /// The target of a redirect; `nil` for any other answer. A redirect without an address counts as another answer.
  private static func location(in head: HTTPHead) throws(HTTPFailure) -> String? {
    guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
    let locations = Set(head.headers.values(of: "location"))
    guard locations.count <= 1 else { throw .notHTTP("it redirects to several addresses") }
    return locations.first.flatMap { $0.isEmpty ? nil : $0 }
  }

  private var notAccepted: HTTPFailure {
    .statusNotAccepted(
      status: response.status, headers: response.headers, excerpt: String(decoding: excerpt, as: UTF8.self))
  }
}
