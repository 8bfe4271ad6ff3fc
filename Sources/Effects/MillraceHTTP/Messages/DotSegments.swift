/// The segments `.` and `..` of a path, even if their dots are written as `%2e`.
enum DotSegments {
  /// Removes them as in RFC 3986, 5.2.4: `/a/b/../c/./d` becomes `/a/c/d`.
  static func removed(from path: Substring) -> Substring {
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch dots(segment) {
      case 1:
        if isLast { kept.append("") }
      case 2:
        // The empty segment before a leading slash is the root, which has no parent.
        if kept.count > (segments[0].isEmpty ? 1 : 0) { kept.removeLast() }
        if isLast { kept.append("") }
      default:
        kept.append(Substring(segment))
      }
    }
    return Substring(kept.joined(separator: "/"))
  }

  /// The number of dots of a segment that consists of dots only; `nil` for any other segment.
  private static func dots(_ segment: Substring.UTF8View) -> Int? {
    guard segment.count <= 6 else { return nil }
    var rest = segment[...]
    var count = 0
    while let first = rest.first {
      if first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
      } else if rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8) {
        rest = rest.dropFirst(3)
      } else {
        return nil
      }
      count += 1
    }
    return count
  }
}
