/// The SHA-1 of bytes. A server proves with it that it has read the handshake of a WebSocket.
///
/// It protects nothing: SHA-1 is broken, and RFC 6455 needs only a function that no server computes by accident.
/// Foundation has none, and the package has no dependencies.
enum SHA1 {
  /// Returns 20 bytes. O(number of bytes)
  static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var message = Array(bytes)
    let bits = UInt64(message.count) * 8
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    message += bits.bigEndianBytes
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for start in stride(from: 0, to: message.count, by: 64) {
      let sum = compressed(message[start..<start + 64], state)
      for index in state.indices { state[index] &+= sum[index] }
    }
    return state.flatMap(\.bigEndianBytes)
  }

  private static func compressed(_ block: ArraySlice<UInt8>, _ state: [UInt32]) -> [UInt32] {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words.append(rotated(mixed, by: 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (choice, constant): (UInt32, UInt32) =
        switch index / 20 {
        case 0: (b & c | ~b & d, 0x5A82_7999)
        case 1: (b ^ c ^ d, 0x6ED9_EBA1)
        case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let sum = rotated(a, by: 5) &+ choice &+ e &+ constant &+ word
      (a, b, c, d, e) = (sum, a, rotated(b, by: 30), c, d)
    }
    return [a, b, c, d, e]
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
