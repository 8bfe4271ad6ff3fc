import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPFailure {
  /// What an error of the URL loading system means when it comes before any response.
  ///
  /// Codes that Linux uses otherwise than Apple's systems: a server that closes without an answer is -1011
  /// (`badServerResponse`), and one that does not speak HTTP -1002 (`unsupportedURL`). The address was looked at
  /// before, so that neither can mean anything else here.
  init(_ error: any Error, of request: HTTPRequest) {
    guard let error = error as? URLError else {
      self = .other(String(describing: error))
      return
    }
    let words = error.localizedDescription
    switch error.code {
    case .badURL, .unsupportedURL, .cannotParseResponse: self = .notHTTP(words)
    case .cannotFindHost, .dnsLookupFailed:
      self = .hostNotFound(URL(string: request.url)?.host ?? request.url)
    case .cannotConnectToHost, .notConnectedToInternet: self = .cannotConnect(words)
    case .networkConnectionLost, .badServerResponse: self = .cutOff(received: 0, expected: nil)
    case .timedOut: self = .timedOut
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      self = .tls(words)
    case .httpTooManyRedirects: self = .tooManyRedirects(limit: HTTPClient.mostRedirects)
    case .cancelled: self = .cancelled
    // Linux has one code, -1, for all that has none of its own.
    case .unknown where ["SSL", "TLS", "certificate"].contains(where: words.contains): self = .tls(words)
    case .unknown where words.contains("Content-Length"): self = .notHTTP(words)
    default: self = .other(words)
    }
  }
}
