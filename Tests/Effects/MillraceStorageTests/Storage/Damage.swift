import Foundation
import TestSupport

/// What may happen to a file that nobody may write to.
enum Damage: CaseIterable {
  case bitFlips
  case truncation
  case swappedBlocks
  case appendedJunk
  case emptied

  func inflicted(on bytes: Data, using random: inout SeededGenerator) -> Data {
    guard !bytes.isEmpty else { return bytes }
    var bytes = bytes
    switch self {
    case .bitFlips:
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case .truncation:
      bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
    case .swappedBlocks:
      let size = min([1, 4, 8, 16, 64].randomElement(using: &random) ?? 1, bytes.count)
      let places = (0..<2).map { _ in Int.random(in: 0...(bytes.count - size) / size, using: &random) * size }
      let blocks = places.map { bytes[$0..<$0 + size] }
      bytes.replaceSubrange(places[0]..<places[0] + size, with: blocks[1])
      bytes.replaceSubrange(places[1]..<places[1] + size, with: blocks[0])
    case .appendedJunk:
      let count = Int.random(in: 1...100, using: &random)
      for _ in 0..<count { bytes.append(UInt8.random(in: 0...255, using: &random)) }
    case .emptied:
      bytes = Data()
    }
    return bytes
  }
}
