import Foundation
import Millrace

/// A page that has been fetched and not been read yet.
struct Body: Hashable, Sendable {
  var address: Address
  var markup: Markup
  var data: Data

  /// The address alone tells the pages of one crawl apart.
  func hash(into hasher: inout Hasher) { hasher.combine(address) }
}

/// Reads pages for links and anchors, away from the reducer.
struct PageReading: EffectComponent {
  func id(of body: Body) -> Address { body.address }

  func requests(in bodies: Set<Body>) -> Set<Body> { bodies }

  func run(_ body: Body, send: Send<(Address, Document)>) async {
    await send((body.address, body.markup.document(of: String(decoding: body.data, as: UTF8.self))))
  }
}
