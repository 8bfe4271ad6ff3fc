/// The part of a file that an answer contains, and its position.
enum DownloadRange: Equatable {
  /// The whole file. A later download can continue it if its version has a tag.
  case whole(tag: String?)
  /// The part for which the request itself asks, with this number of bytes.
  case part(count: Int)
  /// The bytes after the existing ones up to `end`, of a file with this number of bytes. `end` may be before the end of
  /// the file, since a server may send less than was asked for.
  case rest(end: Int, ofAll: Int)
  /// A part that was not asked for.
  case wrong
  /// Nothing usable: the existing bytes are no part of the file, or the length of the file is unknown.
  case startOver
  /// Nothing, since the request knows the current version.
  case notModified

  /// - Parameter hasOwnRange: whether the request itself asks for a part of the file.
  init(_ response: HTTPResponse, asked start: (offset: Int, tag: String)?, hasOwnRange: Bool) {
    let isCoded = !["", "identity"].contains(response.headers["content-encoding"]?.lowercased() ?? "")
    switch response.status {
    case 304: self = .notModified
    case 416 where start != nil: self = .startOver
    case 206:
      guard let range = ContentRange(response.headers["content-range"]), !isCoded else {
        self = .wrong
        return
      }
      guard let start else {
        self = hasOwnRange ? .part(count: range.end - range.first) : .wrong
        return
      }
      let tag = response.headers["etag"]
      guard range.first == start.offset, tag == nil || tag == start.tag else {
        self = .wrong
        return
      }
      self = range.all.map { .rest(end: range.end, ofAll: $0) } ?? .startOver
    default: self = .whole(tag: isCoded ? nil : response.validator?.strongTag)
    }
  }

  /// The end that the answer must reach, counted from the beginning of the written file.
  var end: Int {
    switch self {
    case .part(let end), .rest(let end, ofAll: _): end
    case .whole, .wrong, .startOver, .notModified: .max
    }
  }
}

/// The field `Content-Range: bytes 5-9/10`.
struct ContentRange: Equatable {
  let first: Int
  /// The byte after the last one.
  let end: Int
  /// The number of bytes of the whole; `nil` if the field says `*`.
  let all: Int?

  /// Reads a field; `nil` if its range is empty or exceeds the whole.
  init?(_ field: String?) {
    guard let match = (field ?? "").wholeMatch(of: /(?i)bytes +(\d+)-(\d+)\/(\*|\d+)/),
      let first = Int(match.1), let last = Int(match.2), first <= last, last < Int.max
    else { return nil }
    if match.3 == "*" {
      all = nil
    } else {
      guard let all = Int(match.3), last < all else { return nil }
      self.all = all
    }
    (self.first, end) = (first, last + 1)
  }
}
