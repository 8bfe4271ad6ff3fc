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
public struct HTTPRequest: Hashable, Sendable {
  /// An absolute `http` or `https` address.
  public var url: String
  /// The method, as it is sent.
  public var method: String
  /// The header fields to send.
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
  /// Which attempt this is, from 1. It is not sent; it makes a repeated request differ from the last one.
  public var attempt: Int

  /// Makes a request: by default a `GET` of at most 16 MiB in at most 30 seconds, through at most 10 redirects.
  public init(
    _ url: String, method: String = "GET", headers: HTTPHeaders = [:], body: Data? = nil,
    timeout: Duration? = .seconds(30), redirects: HTTPRedirects = .follow(atMost: 10),
    largestBody: Int = 16 << 20, acceptedStatuses: ClosedRange<Int> = 200...299, attempt: Int = 1
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.redirects = redirects
    self.largestBody = largestBody
    self.acceptedStatuses = acceptedStatuses
    self.attempt = attempt
  }

  /// Every status there is, for those who judge themselves.
  public static var anyStatus: ClosedRange<Int> { 100...999 }
}

/// What happens when a server answers with a redirect.
public enum HTTPRedirects: Hashable, Sendable {
  /// It is followed; one more than this many is ``HTTPFailure/tooManyRedirects(limit:)``.
  case follow(atMost: Int)
  /// It is the response, to be accepted or not by its status.
  case stop
}
