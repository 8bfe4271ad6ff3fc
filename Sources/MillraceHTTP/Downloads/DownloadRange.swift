/// Which part of a file an answer brings, and where it belongs.
enum DownloadRange: Equatable {
  /// The whole file, of a version that may be gone on with if it has a tag.
  case whole(tag: String?)
  /// What follows the bytes that are there, of a file of so many in all, if the server says so. It may end before the
  /// file does: a server may send less than it was asked for.
  case rest(ofAll: Int?)
  /// Something that was not asked for.
  case wrong
  /// Nothing: what is there is no part of the file.
  case unsatisfiable
  /// Nothing: the request knows the current version.
  case notModified

  init(_ response: HTTPResponse, asked start: (offset: Int, tag: String)?) {
    let isCoded = !["", "identity"].contains(response.headers["content-encoding"]?.lowercased() ?? "")
    switch response.status {
    case 304: self = .notModified
    case 416 where start != nil: self = .unsatisfiable
    case 206:
      guard let start else {
        // A range that the request itself asks for is not the whole.
        self = .whole(tag: nil)
        return
      }
      let tag = response.headers["etag"]
      let range = Self.range(in: response.headers["content-range"])
      let isRest = range?.first == start.offset && !isCoded && (tag == nil || tag == start.tag)
      self = isRest ? .rest(ofAll: range?.all) : .wrong
    default: self = .whole(tag: isCoded ? nil : response.validator?.strongTag)
    }
  }

  /// The first byte of `bytes 5-9/10`, and how many there are in all, which may be `*`.
  private static func range(in field: String?) -> (first: Int, all: Int?)? {
    guard let field, field.lowercased().hasPrefix("bytes ") else { return nil }
    guard let first = Int(field.dropFirst(6).prefix { $0 != "-" }.drop { $0 == " " }) else { return nil }
    return (first, field.split(separator: "/", maxSplits: 1).dropFirst().first.flatMap { Int($0) })
  }
}
