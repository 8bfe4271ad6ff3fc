import Foundation
import LinkcheckReaders
import Millrace

/// A page that has been fetched and not been read yet, or whose links have not been resolved.
struct Body: Hashable, Sendable {
  enum Content: Equatable, Sendable {
    /// The bytes, and how the server says that the characters are written.
    case data(Data, charset: String?)
    /// What was read, of a page of so many bytes.
    case document(Document, size: Int)
  }

  var address: Address
  var markup: Markup
  var content: Content
  /// The resolver of the page's links.
  var resolver: LinkResolver

  /// The address alone tells the pages of one crawl apart.
  func hash(into hasher: inout Hasher) { hasher.combine(address) }

  /// Reads the page; computes for a while.
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

/// Reads pages for links and anchors, and resolves the links, away from the reducer.
struct PageReading: EffectComponent {
  func id(of body: Body) -> Address { body.address }

  func requests(in bodies: Set<Body>) -> Set<Body> { bodies }

  func run(_ body: Body, send: Send<(Address, Page)>) async {
    await send((body.address, body.page()))
  }
}
