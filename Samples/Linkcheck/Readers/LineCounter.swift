/// Counts the lines of a text up to places that are queried in ascending order.
struct LineCounter {
  private var index = 0
  private var line = 1

  /// The line of `place`, counted from 1.
  mutating func line(of place: Int, in bytes: [UInt8]) -> Int {
    while index < place {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
    return line
  }

  /// Forgets bytes at the beginning, which will not be queried.
  mutating func drop(_ count: Int, of bytes: [UInt8]) {
    _ = line(of: count, in: bytes)
    index -= count
  }
}
