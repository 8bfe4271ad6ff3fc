import Foundation
import LinkcheckReaders
import MillraceEffects
import MillraceHTTP

/// Judges an address by its server's answer.
enum HTTPJudgement: Equatable {
  case finding(Finding)
  /// A page that is to be read.
  case page(Markup, charset: String?, Data)
  /// A trouble that may pass; worth another attempt later.
  case transient(Trouble)
  /// The server does not answer `HEAD`; worth a `GET` at once.
  case headRefused

  init(_ event: HTTPEvent, of address: Address) {
    switch event {
    case .response(let response, let request): self.init(response, to: request, of: address)
    case .failed(let failure, let request): self.init(failure, of: request)
    }
  }

  private init(_ response: HTTPResponse, to request: HTTPRequest, of address: Address) {
    switch response.status {
    case 200...299:
      let type = response.headers["content-type"] ?? ""
      if let markup = Markup(contentType: type), request.method == "GET", request.redirects == .stop {
        let charset = PageText.charset(ofContentType: type)
        let unreadable = PageText.nameIfUnreadable(of: response.body, charset: charset, markup: markup)
        self = unreadable.map { .finding(.unreadable($0)) } ?? .page(markup, charset: charset, response.body)
      } else {
        self = .finding(.exists)
      }
    case 301, 302, 303, 307, 308:
      if case .address(let target) = address.resolving(response.headers["location"] ?? ""), !target.isFile {
        self = .finding(.redirect(to: target))
      } else {
        self = .finding(.trouble(Trouble(.redirect, "redirects to no address")))
      }
    case let status where request.method == "HEAD" && [400, 403, 404, 405, 501].contains(status):
      // Some servers answer `HEAD` with an error, or not by HTTP, although `GET` works.
      self = .headRefused
    case let status:
      let trouble = Trouble(.status, HTTPStatus.words(for: status))
      self =
        [408, 425, 429, 500, 502, 503, 504].contains(status)
        ? .transient(trouble) : .finding(.trouble(trouble))
    }
  }

  private init(_ failure: HTTPFailure, of request: HTTPRequest) {
    if case .bodyTooLarge(let limit) = failure {
      // For a page of another site, it only matters that it exists.
      self = .finding(request.redirects == .stop ? .oversized(limit: limit) : .exists)
      return
    }
    if case .notHTTP = failure, request.method == "HEAD" {
      self = .headRefused
      return
    }
    let trouble = Trouble(failure)
    self = failure.isTransient ? .transient(trouble) : .finding(.trouble(trouble))
  }
}

extension Trouble {
  init(_ failure: HTTPFailure) {
    switch failure {
    case .badURL: self.init(.invalid, "not a URL")
    case .badField(let name): self.init(.invalid, "cannot be sent: \(name)")
    case .hostNotFound: self.init(.network, "host not found")
    case .cannotConnect: self.init(.network, "cannot connect")
    case .proxy(let message): self.init(.network, "the proxy cannot be used: \(message)")
    case .timedOut: self.init(.timeout, "no answer in time")
    case .tls(let message): self.init(.network, "no secure connection: \(message)")
    case .notHTTP: self.init(.network, "the answer is not HTTP")
    case .undecodable(let message): self.init(.invalid, message)
    case .unsupported(let message): self.init(.network, message)
    case .tooManyRedirects(let limit): self.init(.redirect, "more than \(limit) redirects")
    case .bodyTooLarge(let limit): self.init(.invalid, "more than \(limit) bytes")
    case .cutOff: self.init(.cut, "connection cut before the end")
    case .statusNotAccepted(let status, _, _): self.init(.status, HTTPStatus.words(for: status))
    case .cancelled: self.init(.network, "cancelled")
    case .other(let message): self.init(.network, message)
    }
  }
}

enum HTTPStatus {
  /// The status in words: `404 Not Found`.
  static func words(for status: Int) -> String {
    reasons[status].map { "\(status) \($0)" } ?? "status \(status)"
  }

  private static let reasons = [
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    406: "Not Acceptable", 408: "Request Timeout", 410: "Gone", 421: "Misdirected Request",
    429: "Too Many Requests", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
    501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}
