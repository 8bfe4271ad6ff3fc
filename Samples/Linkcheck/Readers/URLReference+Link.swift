import MillraceHTTP

extension URLReference {
  /// Parses a link of a page, without the tabs and newlines that browsers drop, and without space around it.
  package init(link: String) {
    let isClean = link.utf8.allSatisfy { $0 > 0x20 }
    guard !isClean else {
      self.init(link)
      return
    }
    var bytes = link.utf8.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    self.init(String(decoding: bytes, as: UTF8.self))
  }
}
