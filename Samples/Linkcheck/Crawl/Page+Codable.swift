import Foundation
import LinkcheckReaders

/// Encodes a page in a few values, which cost a fraction of encoding each link.
extension Page: Codable {
  private struct Packed: Codable {
    var markup: Markup
    var size: Int
    /// Joined by spaces, which occur neither in an address nor in an encoded name.
    var targets: String
    var links: Data
    var anchors: String
    var symbols: Set<String>?
  }

  func encode(to encoder: any Encoder) throws {
    try Packed(
      markup: markup, size: size, targets: targets.lazy.map(\.text).joined(separator: " "),
      links: Data(links.bytes), anchors: anchors.lazy.map(\.encoded).joined(separator: " "),
      symbols: symbols.isEmpty ? nil : symbols
    ).encode(to: encoder)
  }

  init(from decoder: any Decoder) throws {
    let packed = try Packed(from: decoder)
    let words = Self.words(packed.targets)
    targets = words.compactMap { Address(String($0)) }
    guard targets.count == words.count,
      let links = PageLinks(bytes: [UInt8](packed.links), targetCount: targets.count)
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the links are not what was packed"))
    }
    (markup, size, self.links) = (packed.markup, packed.size, links)
    anchors = Set(Self.words(packed.anchors).map { Fragment(encoded: String($0)) })
    symbols = packed.symbols ?? []
  }

  private static func words(_ text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
  }
}
