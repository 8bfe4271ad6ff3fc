/// Counts the lines of a text up to places that are asked for in ascending order.
struct LineCounter {
  private var index = 0
  private var line = 1

  /// The line in which `place` is, counted from 1.
  mutating func line(of place: Int, in bytes: [UInt8]) -> Int {
    while index < place {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
    return line
  }
}
