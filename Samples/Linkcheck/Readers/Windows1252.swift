/// The encoding of old Western European pages, even of those that declare Latin-1.
enum Windows1252 {
  static func text(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      text.unicodeScalars.append(
        (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return text
  }

  /// The characters in which Windows-1252 differs from Latin-1. Bytes without a character stay controls.
  private static let upper: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
    "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}",
    "\u{2019}",
    "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}",
    "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]
}
