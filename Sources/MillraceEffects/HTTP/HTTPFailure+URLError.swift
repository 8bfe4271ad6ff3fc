import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPFailure {
  /// What an error of the URL loading system means when it comes before any response.
  init(_ error: any Error, of request: HTTPRequest) {
    guard let error = error as? URLError else {
      self = .other(String(describing: error))
      return
    }
    let words = error.localizedDescription
    switch error.code {
    case .badURL, .unsupportedURL: self = .badURL(request.url)
    case .cannotFindHost, .dnsLookupFailed:
      self = .hostNotFound(URL(string: request.url)?.host ?? request.url)
    case .cannotConnectToHost, .notConnectedToInternet: self = .cannotConnect(words)
    case .networkConnectionLost: self = .cutOff(received: 0, expected: nil)
    case .timedOut: self = .timedOut
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      self = .tls(words)
    case .httpTooManyRedirects: self = .tooManyRedirects(limit: HTTPClient.mostRedirects)
    case .cancelled: self = .cancelled
    default: self = .other(words)
    }
  }
}
