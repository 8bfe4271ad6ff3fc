import Millrace
import MillraceSpelling

/// The length of an answer's body, according to its head.
struct BodyFraming: Equatable {
  /// Whether there can be a body.
  let hasBody: Bool
  /// The announced number of bytes, if any. A chunked coding overrides a length.
  let length: Int?

  /// - Throws: `notHTTP` for invalid or contradictory lengths.
  init(_ head: HTTPHead, method: String) throws(HTTPFailure) {
    hasBody = method != "HEAD" && head.status != 204 && head.status != 304
    let codings = head.headers.items(of: "transfer-encoding").filter { !["", "identity"].contains($0) }
    // No other coding was asked for, and the end of such a body cannot be found.
    guard codings.isEmpty || codings == ["chunked"] else {
      throw .notHTTP(
        "its transfer coding is not known: \(Spelling.visible(codings.joined(separator: ", ")))")
    }
    var lengths: Set<Int> = []
    for digits in codings.isEmpty ? head.headers.items(of: "content-length") : [] {
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(digits)
      else { throw .notHTTP("its content length is none: \(Spelling.visible(digits))") }
      lengths.insert(length)
    }
    guard lengths.count <= 1 else { throw .notHTTP("it has two different content lengths") }
    length = lengths.first
  }
}

extension HTTPHead {
  /// Whether a faulty server may send bytes after this head that belong to no answer. The answer has no body then, but
  /// its head announces one, which is allowed for `HEAD`.
  func mayBeFollowedByBytes(method: String) -> Bool {
    if method == "HEAD" { return true }
    guard status == 204 || status == 304 else { return false }
    return headers["transfer-encoding"] != nil || !["0", nil].contains(headers["content-length"])
  }
}
