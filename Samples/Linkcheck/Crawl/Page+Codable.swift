import Foundation
import LinkcheckReaders

/// A page is kept in few pieces, which cost a fraction of what its links would cost one by one.
extension Page: Codable {
  private enum Key: String, CodingKey {
    case markup, size, targets, links, anchors, symbols
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(markup, forKey: .markup)
    try container.encode(size, forKey: .size)
    // Neither an address nor an encoded name has spaces.
    try container.encode(targets.lazy.map(\.text).joined(separator: " "), forKey: .targets)
    try container.encode(Data(links.bytes), forKey: .links)
    try container.encode(anchors.lazy.map(\.encoded).joined(separator: " "), forKey: .anchors)
    if !symbols.isEmpty { try container.encode(symbols, forKey: .symbols) }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    markup = try container.decode(Markup.self, forKey: .markup)
    size = try container.decode(Int.self, forKey: .size)
    targets = try Self.words(try container.decode(String.self, forKey: .targets)).map { word in
      guard let address = Address(String(word)) else {
        throw DecodingError.dataCorruptedError(
          forKey: .targets, in: container, debugDescription: "“\(word)” is no address")
      }
      return address
    }
    anchors = Set(
      Self.words(try container.decode(String.self, forKey: .anchors)).map { Fragment(encoded: String($0)) })
    symbols = try container.decodeIfPresent(Set<String>.self, forKey: .symbols) ?? []
    let bytes = [UInt8](try container.decode(Data.self, forKey: .links))
    guard let links = PageLinks(bytes: bytes, targetCount: targets.count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .links, in: container, debugDescription: "the links are not what was packed")
    }
    self.links = links
  }

  private static func words(_ text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
  }
}
