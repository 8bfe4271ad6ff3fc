import Foundation

/// One exchange with an HTTP server that the state asks for.
///
/// ```swift
/// var request = HTTPRequest("https://example.org/feed")
/// request.headers["accept"] = "application/json"
/// request.timeout = .seconds(5)
/// ```
///
/// Two equal requests are one. To ask again, give another `attempt`.
///
/// A request holds what it is to send. Its description, and what `dump` and tests print of it and of every action that
/// holds it, show no credentials of the address, no values of ``HTTPHeaders/secretNames``, and no body.
public struct HTTPRequest: Hashable, Sendable {
  /// An absolute `http` or `https` address. A name and a password in it are sent as an `Authorization` field, unless
  /// there is one.
  public var url: String
  /// The method, as it is sent.
  public var method: String
  /// The header fields to send. A `content-length` must be that of the body; a `transfer-encoding` is refused. Unless
  /// `accept-encoding` is given, bodies coded with gzip and deflate are asked for and decoded; a coding that is asked
  /// for here and unknown to the client is left as it is.
  public var headers: HTTPHeaders
  /// The body to send.
  public var body: Data?
  /// The longest that the exchange may take as a whole, redirects included; `nil` for no limit. Streams and downloads
  /// count each silence of the server instead: see ``HTTPClient/stream(_:to:)``.
  public var timeout: Duration?
  /// What happens to a redirect.
  public var redirects: HTTPRedirects
  /// The largest body that is accepted, in bytes after decoding. More is not kept, and ends the exchange.
  public var largestBody: Int
  /// The statuses that make a response; any other makes a failure that carries the status.
  public var acceptedStatuses: ClosedRange<Int>
  /// The version that is there already, if any. The server is asked for another one only, and 304, which says that
  /// there is none, is accepted: see ``HTTPResponse/isNotModified``.
  public var known: HTTPValidator?
  /// Which attempt this is, from 1. It is not sent; it makes a repeated request differ from the last one.
  public var attempt: Int

  /// Makes a request: by default a `GET` of at most 16 MiB in at most 30 seconds, through at most 10 redirects.
  public init(
    _ url: String, method: String = "GET", headers: HTTPHeaders = [:], body: Data? = nil,
    timeout: Duration? = .seconds(30), redirects: HTTPRedirects = .follow(atMost: 10),
    largestBody: Int = 16 << 20, acceptedStatuses: ClosedRange<Int> = 200...299,
    known: HTTPValidator? = nil, attempt: Int = 1
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.redirects = redirects
    self.largestBody = largestBody
    self.acceptedStatuses = acceptedStatuses
    self.known = known
    self.attempt = attempt
  }

  /// Every status there is, for those who judge themselves.
  public static var anyStatus: ClosedRange<Int> { 100...999 }

  /// Whether a response with this status is one that was asked for.
  func accepts(_ status: Int) -> Bool {
    acceptedStatuses.contains(status) || (status == 304 && known != nil)
  }
}

/// What happens when a server answers with a redirect: 301, 302, 303, 307 or 308 with a `Location`.
///
/// The body of a request goes along, but for a `POST` that is answered with 301 or 302, and for 303, which both ask for
/// a `GET`. Credentials, cookies, a `host` and the fields with ``HTTPHeaders/secretNames`` do not go to another server.
public enum HTTPRedirects: Hashable, Sendable {
  /// It is followed; one more than this many is ``HTTPFailure/tooManyRedirects(limit:)``.
  case follow(atMost: Int)
  /// It is the response, to be accepted or not by its status.
  case stop
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the address, without secrets, and the attempt if it is not the first.
  public var description: String {
    "\(Redaction.visible(method)) \(shownURL)\(attempt == 1 ? "" : " (attempt \(attempt))")"
  }

  /// What the request says, without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "url": shownURL, "method": method, "headers": headers, "body": "\(body?.count ?? 0) bytes",
        "timeout": timeout as Any, "redirects": redirects, "largestBody": largestBody,
        "acceptedStatuses": acceptedStatuses, "known": known as Any, "attempt": attempt,
      ], displayStyle: .struct)
  }

  private var shownURL: String { Redaction.visible(Redaction.address(url, hiding: headers.secretNames)) }
}
