#if canImport(Darwin)
import Foundation

extension HTTPFailure {
  /// Makes the failure for an error of the URL loading system.
  init(_ error: any Error, host: String) {
    guard let error = error as? URLError else {
      self = .other(String(describing: error))
      return
    }
    let words = error.localizedDescription
    switch error.code {
    case .badURL, .unsupportedURL: self = .badURL(host)
    case .cannotParseResponse, .badServerResponse: self = .notHTTP(words)
    case .cannotFindHost, .dnsLookupFailed: self = .hostNotFound(host)
    case .cannotConnectToHost, .notConnectedToInternet: self = .cannotConnect(words)
    case .networkConnectionLost: self = .cutOff(received: 0, expected: nil)
    case .timedOut: self = .timedOut
    case .cannotDecodeContentData, .cannotDecodeRawData: self = .undecodable(words)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      self = .tls(words)
    case .cancelled: self = .cancelled
    default: self = .other(words)
    }
  }
}
#endif
