import Millrace
import MillraceSpelling

/// How long the body of an answer is, as far as its head tells.
struct BodyFraming: Equatable {
  /// Whether there can be a body at all.
  let hasBody: Bool
  /// How many bytes come, if that was announced. Chunked coding takes the place of what was.
  let length: Int?

  /// - Throws: `notHTTP` for lengths that are none, or that contradict each other.
  init(_ head: HTTPHead, method: String) throws(HTTPFailure) {
    hasBody = method != "HEAD" && head.status != 204 && head.status != 304
    let codings = head.headers.items(of: "transfer-encoding").filter { !["", "identity"].contains($0) }
    // No other was asked for, and where such a body ends cannot be told.
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
  /// Whether a server that errs may send bytes after this head that belong to no answer: the answer has no body, and
  /// its head announces one, as it may for `HEAD`.
  func mayBeFollowedByBytes(method: String) -> Bool {
    if method == "HEAD" { return true }
    guard status == 204 || status == 304 else { return false }
    return headers["transfer-encoding"] != nil || !["0", nil].contains(headers["content-length"])
  }
}
