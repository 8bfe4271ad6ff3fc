/// Why an HTTP exchange brought no response that the request accepts.
public enum HTTPFailure: Error, Hashable, Sendable {
  /// The address is not an absolute `http` or `https` address with a host.
  case badURL(String)
  /// The method or a header field cannot be sent: it is empty or has characters that are not allowed there.
  case badField(String)
  /// The name of the host is not known.
  case hostNotFound(String)
  /// Nobody answers at the address, or the network is down.
  case cannotConnect(String)
  /// The exchange took longer than the request's timeout; of a stream, the server was silent for longer.
  case timedOut
  /// No secure connection could be made, or the certificate is not trusted.
  case tls(String)
  /// What answered does not speak HTTP.
  case notHTTP(String)
  /// The server redirected more often than the request allows.
  case tooManyRedirects(limit: Int)
  /// The body is larger than the request allows, in bytes. What came of it is not kept.
  case bodyTooLarge(limit: Int)
  /// The connection ended before the response was complete. `received` counts bytes of the body; `expected` is
  /// what the server announced, if it did.
  case cutOff(received: Int, expected: Int?)
  /// The status is not one that the request accepts. `excerpt` is the beginning of the body, of at most 1,024
  /// bytes.
  case statusNotAccepted(status: Int, headers: HTTPHeaders, excerpt: String)
  /// The task that loaded was cancelled.
  case cancelled
  /// Anything else, in the system's words.
  case other(String)

  /// Whether the same request may do better later: the network, the time or the server's load was the cause.
  public var isTransient: Bool {
    switch self {
    case .hostNotFound, .cannotConnect, .timedOut, .cutOff: true
    case .statusNotAccepted(let status, _, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
    case .badURL, .badField, .tls, .notHTTP, .tooManyRedirects, .bodyTooLarge, .cancelled, .other: false
    }
  }
}
