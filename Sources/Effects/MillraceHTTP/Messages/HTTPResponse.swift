import Foundation
import Millrace
import MillraceSpelling

/// The response of an HTTP server.
public struct HTTPResponse: Hashable, Sendable {
  /// The status, such as 200.
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The whole body, decoded.
  public var body: Data
  /// The address that answered, which differs from the request's after a redirect. It has no credentials.
  public var url: String
  /// The number of redirects that were followed.
  public var redirectCount: Int

  /// Makes a response, for tests.
  public init(
    status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data(), url: String = "",
    redirectCount: Int = 0
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.redirectCount = redirectCount
  }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
  /// The status, the address and the number of bytes, without secrets.
  public var description: String { "\(status) from \(shownURL) with \(body.count) bytes" }

  /// A mirror that shows the response without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "status": status, "headers": headers, "body": body, "url": shownURL, "redirectCount": redirectCount,
      ], displayStyle: .struct)
  }

  private var shownURL: String { Spelling.visible(Redaction.address(url, hiding: headers.secretNames)) }
}
