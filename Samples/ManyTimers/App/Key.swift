/// The command of a pressed key.
enum Key: Hashable, Sendable {
  case toggle(TimerRow.ID)
  case quit

  /// The meaning of a byte from a terminal in raw mode; `nil` if it has none.
  init?(byte: UInt8) {
    let character = Character(UnicodeScalar(byte))
    if character == "q" || byte == 3 || byte == 4 {  // also Control-C and Control-D
      self = .quit
    } else if let index = ListFace.keys.firstIndex(of: character) {
      self = .toggle(index + 1)
    } else {
      return nil
    }
  }
}
