import Millrace
import MillraceEffects
import MillraceSpelling

/// The reason why an HTTP exchange ended without a response that the request accepts.
@nonexhaustive public enum HTTPFailure: Error, Hashable, Sendable {
  /// The address is not an absolute `http` or `https` address with a host, its port is out of range, or its host is
  /// invalid, such as `256.1.1.1` or `a..b`. The associated value is the address without credentials.
  case badURL(String)
  /// The method or a header field cannot be sent: it is empty or contains characters that are not allowed there.
  case badField(String)
  /// The host name is unknown.
  case hostNotFound(String)
  /// Nothing answers at the address, the network is down, or the process has no file descriptor left.
  case cannotConnect(String)
  /// The proxy that the environment names cannot be used, or refuses to connect. The associated value does not contain
  /// its address.
  case proxy(String)
  /// The exchange took longer than the request's timeout. In a stream, the server was silent for longer.
  case timedOut
  /// No secure connection could be made, or the certificate is not trusted.
  case tls(String)
  /// The answer is not HTTP, or it contradicts itself, for instance by two different lengths or by HTTP/2 frames that
  /// are not allowed.
  case notHTTP(String)
  /// The body has a content coding that is unknown or was not asked for, or its coding is invalid or ends early.
  case undecodable(String)
  /// The server redirected more often than the request allows.
  case tooManyRedirects(limit: Int)
  /// The body is larger than the request allows, in bytes. The received part is discarded.
  case bodyTooLarge(limit: Int)
  /// The connection ended before the response was complete. `received` is the number of bytes of the body; `expected`
  /// is the number that the server announced, if any. The server may have served the request.
  case cutOff(received: Int, expected: Int?)
  /// The request does not accept the status. `excerpt` is the beginning of the body, at most 1,024 bytes.
  case statusNotAccepted(status: Int, headers: HTTPHeaders, excerpt: String)
  /// The loading task was cancelled.
  case cancelled
  /// The client cannot work on this system: libcurl is missing, too old, or lacks a feature that is needed.
  case unsupported(String)
  /// Any other failure, with the system's description.
  case other(String)

  /// Whether the same request may succeed later, because the cause was the network, the time or the server's load.
  /// Whether it is safe to send the request again is another question: see ``mayHaveBeenServed``.
  public var isTransient: Bool {
    switch self {
    case .hostNotFound, .cannotConnect, .timedOut, .cutOff: true
    case .statusNotAccepted(let status, _, _): Self.isTransient(status: status)
    case .badURL, .badField, .proxy, .tls, .notHTTP, .undecodable, .tooManyRedirects, .bodyTooLarge,
      .cancelled, .unsupported, .other:
      false
    }
  }

  static func isTransient(status: Int) -> Bool { [408, 425, 429, 500, 502, 503, 504].contains(status) }

  /// Whether a server may have carried out the request, so that it may be carried out twice if it is sent again;
  /// `false` if there was no connection over which it could be sent. After redirects, this is about the last request.
  public var mayHaveBeenServed: Bool {
    switch self {
    case .badURL, .badField, .hostNotFound, .cannotConnect, .proxy, .tls, .unsupported: false
    case .timedOut, .notHTTP, .undecodable, .tooManyRedirects, .bodyTooLarge, .cutOff, .statusNotAccepted,
      .cancelled, .other:
      true
    }
  }
}

extension HTTPFailure: CustomStringConvertible, CustomReflectable {
  /// A mirror that shows the description only.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: [description], displayStyle: .enum) }

  /// The failure in one line, without secrets.
  public var description: String {
    switch self {
    case .badURL(let url):
      "not a valid address\(Self.reason(url)): \(Spelling.visible(Redaction.address(url)))"
    case .badField(let name): "cannot be sent as a method or header field: \(Spelling.visible(name))"
    case .hostNotFound(let host): "host not found: \(Spelling.visible(host))"
    case .cannotConnect(let words): "cannot connect: \(Spelling.visible(words))"
    case .proxy(let words): "the proxy cannot be used: \(Spelling.visible(words))"
    case .timedOut: "no answer in time"
    case .tls(let words): "no secure connection: \(Spelling.visible(words))"
    case .notHTTP(let words): "the answer is not HTTP: \(Spelling.visible(words))"
    case .undecodable(let words): "the body cannot be decoded: \(Spelling.visible(words))"
    case .tooManyRedirects(let limit): "more than \(limit) redirects"
    case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes"
    case .cutOff(received: 0, expected: nil):
      "the connection was cut before an answer; the request may have been served"
    case .cutOff(let received, let expected):
      "the connection was cut after \(received)\(expected.map { " of \($0)" } ?? "") bytes"
    case .statusNotAccepted(let status, _, _): "status \(status)"
    case .cancelled: "cancelled"
    case .unsupported(let words): "HTTP is not available: \(Spelling.visible(words))"
    case .other(let words): Spelling.visible(words)
    }
  }

  private static func reason(_ url: String) -> String {
    do throws(HTTPAddress.Problem) { _ = try HTTPAddress(url) } catch { return ", \(error.rawValue)" }
    return ""
  }
}

extension HTTPFailure: RetryAfterProviding {
  /// The delay that the `Retry-After` field of a status that was not accepted demands, in seconds or as a date.
  public var retryDelay: Duration? {
    guard case .statusNotAccepted(_, let headers, _) = self else { return nil }
    return RetryAfter.delay(in: headers)
  }
}

extension HTTPFailure: BareCases {
  package static let bareCases: [Self: String] = [.timedOut: "timedOut", .cancelled: "cancelled"]
}
