/// A comment of HTML.
enum HTMLComment {
  /// The index after the comment that begins with `<!--` at `start`. It ends with `-->`, with `--!>`, or at once as
  /// `<!-->` and `<!--->`; otherwise where the text does.
  static func end(in bytes: [UInt8], from start: Int) -> Int {
    var index = start + 4
    for empty in [">", "->"] where bytes[index...].starts(with: empty.utf8) {
      return index + empty.utf8.count
    }
    while let dash = bytes[index...].firstIndex(of: UInt8(ascii: "-")) {
      for end in ["-->", "--!>"] where bytes[dash...].starts(with: end.utf8) { return dash + end.utf8.count }
      index = dash + 1
    }
    return bytes.count
  }
}
