import Foundation
import LinkcheckReaders
import Millrace

/// A fetched page that is not read yet, or whose links are not resolved yet.
struct Body: Hashable, Sendable {
  enum Content: Equatable, Sendable {
    /// The bytes, and the encoding according to the server.
    case data(Data, charset: String?)
    /// The links and anchors of a page, and its size in bytes.
    case document(Document, size: Int)
  }

  var address: Address
  var markup: Markup
  var content: Content
  /// The resolver of the page's links.
  var resolver: LinkResolver

  /// In one crawl, pages differ by their addresses.
  func hash(into hasher: inout Hasher) { hasher.combine(address) }

  /// Reads the page. Takes some time to compute.
  func page() -> Page {
    switch content {
    case .data(let data, let charset):
      let text = PageText.utf8(of: data, charset: charset, markup: markup)
      let document = markup.document(of: text, isArticle: Catalogues.contain(address))
      return resolver.page(of: document, markup: markup, size: data.count, at: address)
    case .document(let document, let size):
      return resolver.page(of: document, markup: markup, size: size, at: address)
    }
  }
}

/// Reads the links and anchors of pages, and resolves the links, outside of the reducer.
struct PageReading: EffectComponent {
  func id(of body: Body) -> Address { body.address }

  func requests(in bodies: Set<Body>) -> Set<Body> { bodies }

  func run(_ body: Body, send: Send<(Address, Page)>) async {
    await send((body.address, body.page()))
  }
}
