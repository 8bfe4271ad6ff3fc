/// A comment of HTML.
enum HTMLComment {
  /// The index after the end of a comment whose text begins at `start`: it ends with `-->` or with `--!>`. `nil` if
  /// the end is not there.
  static func end(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while let dash = bytes[index...].firstIndex(of: UInt8(ascii: "-")) {
      for end in ["-->", "--!>"] where bytes[dash...].starts(with: end.utf8) { return dash + end.utf8.count }
      index = dash + 1
    }
    return nil
  }
}
