import Foundation
import Millrace

/// A page that has been fetched and not been read yet.
struct Body: Hashable, Sendable {
  var address: Address
  var markup: Markup
  var data: Data
  /// How the server says that the characters are written.
  var charset: String?
  /// What the page's links are resolved with.
  var resolver: LinkResolver

  /// The address alone tells the pages of one crawl apart.
  func hash(into hasher: inout Hasher) { hasher.combine(address) }

  /// Reads the page; computes for a while.
  func page() -> Page {
    let text = PageText.utf8(of: data, charset: charset, markup: markup)
    let document = markup.document(of: text, isArticle: Catalogues.contain(address))
    return resolver.page(of: document, markup: markup, size: data.count, at: address)
  }
}

/// Reads pages for links and anchors, and resolves the links, away from the reducer.
struct PageReading: EffectComponent {
  func id(of body: Body) -> Address { body.address }

  func requests(in bodies: Set<Body>) -> Set<Body> { bodies }

  func run(_ body: Body, send: Send<(Address, Page)>) async {
    await send((body.address, body.page()))
  }
}
