/// The first line of an HTTP request.
struct RequestHead: Equatable {
  var method: String
  /// The requested path, query included.
  var target: String

  /// The target without its query.
  var path: String { String(target.prefix { $0 != "?" }) }

  /// Reads `GET /path?query HTTP/1.1`. `nil` if the text is not the head of a request.
  init?(_ text: some StringProtocol) {
    let line = text.prefix { !$0.isNewline }
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[1].hasPrefix("/"), parts[2].hasPrefix("HTTP/1.") else {
      return nil
    }
    method = String(parts[0])
    target = String(parts[1])
  }
}
