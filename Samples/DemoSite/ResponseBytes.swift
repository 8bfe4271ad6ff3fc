/// The bytes of one answer, with its delay and how it ends.
struct ResponseBytes: Equatable {
  var status: Int
  var bytes: [UInt8]
  /// The delay before the answer is sent.
  var delayInMilliseconds = 0

  /// Renders the answer to the `count`th request (counted from 1) for a path.
  init(_ response: DemoResponse?, method: String, count: Int) {
    var headers: [(String, String)] = []
    var type = "text/html; charset=utf-8"
    var body = ""
    var announced: Int?
    switch response {
    case .content(let contentType, let text):
      (status, type, body) = (200, contentType, text)
    case .slow(let milliseconds, let text):
      (status, body, delayInMilliseconds) = (200, text, milliseconds)
    case .redirect(let code, let location):
      status = code
      headers.append(("Location", location))
    case .error(let code):
      status = code
    case .flaky(let failures, let text):
      (status, body) = count <= failures ? (503, "") : (200, text)
    case .cut(let length, let text):
      (status, body, announced) = (200, text, length)
    case .large(let length):
      (status, body) = (200, "<p>" + String(repeating: "x", count: max(0, length - 3)))
    case nil:
      status = 404
    }
    if body.isEmpty, status != 200 {
      body = "<!doctype html><title>\(status)</title><p>\(status) \(Self.reason(of: status))"
    }
    headers.append(("Content-Type", type))
    headers.append(("Content-Length", String(announced ?? body.utf8.count)))
    headers.append(("Connection", "close"))
    let head =
      "HTTP/1.1 \(status) \(Self.reason(of: status))\r\n"
      + headers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
    bytes = Array(head.utf8) + (method == "HEAD" ? [] : Array(body.utf8))
  }

  private static func reason(of status: Int) -> String {
    switch status {
    case 200: "OK"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 308: "Permanent Redirect"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 410: "Gone"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}
