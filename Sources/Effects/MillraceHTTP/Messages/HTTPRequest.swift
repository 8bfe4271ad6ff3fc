import Foundation
import Millrace
import MillraceSpelling

/// An HTTP request that the state asks for.
///
/// ```swift
/// var request = HTTPRequest("https://example.org/feed")
/// request.headers["accept"] = "application/json"
/// request.timeout = .seconds(5)
/// ```
///
/// Two equal requests are one. Addresses and values are equal if all their bytes are. To send a request again, give it
/// another `attempt`.
///
/// A request contains everything that it sends. Its descriptions show no credentials of the address, no values of
/// ``HTTPHeaders/secretNames``, and no body. Neither does what `dump` and tests print of it, or of an action that
/// contains it.
public struct HTTPRequest: Hashable, Sendable {
  /// An absolute `http` or `https` address. A name and a password in it are sent as an `Authorization` field, unless
  /// `headers` has one. Segments `.` and `..` of its path are resolved before the request is sent.
  public var url: String {
    get { exactURL.text }
    set { exactURL = ByteEqual(newValue) }
  }
  /// The method, as it is sent.
  public var method: String {
    get { exactMethod.text }
    set { exactMethod = ByteEqual(newValue) }
  }
  /// The header fields to send. A `content-length` must be that of the body; a `transfer-encoding` is refused. Unless
  /// `accept-encoding` is set, the client asks for bodies coded with gzip and deflate and decodes them, up to five
  /// codings of one body. A coding that you ask for and the client does not know is left undecoded.
  public var headers: HTTPHeaders
  /// The body to send.
  public var body: Data?
  /// The longest time that the whole exchange may take, redirects included; `nil` for no limit. For streams and
  /// downloads, it limits each silence of the server instead: see ``HTTPClient/stream(_:to:)``.
  public var timeout: Duration?
  /// How a redirect is handled.
  public var redirects: HTTPRedirects
  /// The largest accepted body, in bytes after decoding. A larger one ends the exchange.
  public var largestBody: Int
  /// The accepted statuses; any other one is a failure that carries the status.
  public var acceptedStatuses: ClosedRange<Int>
  /// The version that the program already has, if any. The server then sends the body only of another version. The
  /// status 304 means that the version is the same, and is accepted: see ``HTTPResponse/isNotModified``.
  public var known: HTTPValidator?
  /// The number of the attempt, from 1. It is not sent. A repeated request differs from the last one by it.
  public var attempt: Int

  private var exactURL: ByteEqual
  private var exactMethod: ByteEqual

  /// Makes a request: by default a `GET` with a body of at most 16 MiB, in at most 30 seconds, through at most 10
  /// redirects.
  public init(
    _ url: String, method: String = "GET", headers: HTTPHeaders = [:], body: Data? = nil,
    timeout: Duration? = .seconds(30), redirects: HTTPRedirects = .follow(atMost: 10),
    largestBody: Int = 16 << 20, acceptedStatuses: ClosedRange<Int> = 200...299,
    known: HTTPValidator? = nil, attempt: Int = 1
  ) {
    exactURL = ByteEqual(url)
    exactMethod = ByteEqual(method)
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.redirects = redirects
    self.largestBody = largestBody
    self.acceptedStatuses = acceptedStatuses
    self.known = known
    self.attempt = attempt
  }

  /// Every status, for callers that examine the status themselves.
  public static var anyStatus: ClosedRange<Int> { 100...999 }

  /// Whether a response with this status is accepted.
  func accepts(_ status: Int) -> Bool {
    acceptedStatuses.contains(status) || (status == 304 && known != nil)
  }
}

/// How a redirect is handled: a response of 301, 302, 303, 307 or 308 with a `Location`.
///
/// The body is sent to the new address. A `POST` answered with 301 or 302, and a request other than `GET` and `HEAD`
/// answered with 303, becomes a `GET` without a body. Credentials, cookies, a `host` field and the fields with
/// ``HTTPHeaders/secretNames`` are not sent to another server.
public enum HTTPRedirects: Hashable, Sendable {
  /// Redirects are followed, up to this number. One more ends in ``HTTPFailure/tooManyRedirects(limit:)``.
  case follow(atMost: Int)
  /// The redirect is the response. Its status decides whether it is accepted.
  case stop
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  /// The method and the address, without secrets, and the attempt if it is not the first.
  public var description: String {
    "\(Spelling.visible(method)) \(shownURL)\(attempt == 1 ? "" : " (attempt \(attempt))")"
  }

  /// A mirror that shows the request without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "url": shownURL, "method": method, "headers": headers, "body": "\(body?.count ?? 0) bytes",
        "timeout": timeout as Any, "redirects": redirects, "largestBody": largestBody,
        "acceptedStatuses": acceptedStatuses, "known": known as Any, "attempt": attempt,
      ], displayStyle: .struct)
  }

  private var shownURL: String { Spelling.visible(Redaction.address(url, hiding: headers.secretNames)) }
}
