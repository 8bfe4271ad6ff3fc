import LinkcheckReaders

/// Resolves the links of a page.
struct LinkResolver: Hashable, Sendable {
  var scope: Scope
  var catalogues = Catalogues()

  /// Makes the page for a document at an address. Leaves out links of kinds that cannot be checked.
  func page(of document: Document, markup: Markup, size: Int, at address: Address) -> Page {
    var page = Page(markup: markup, size: size, anchors: document.anchors, symbols: document.symbols)
    let (base, root) = bases(of: document, at: address)
    var places: [Address: Int] = [:]
    for link in document.links where !Task.isCancelled {
      guard
        let target = target(
          of: link.text, at: address, base: base, root: root,
          { target in
            if let place = places[target] { return place }
            let place = page.targets.count
            places[target] = place
            page.targets.append(target)
            return place
          })
      else { continue }
      page.links.append(
        Page.Link(text: Password.hidden(inLink: link.text), line: link.line, use: link.use, target: target))
    }
    return page
  }

  /// The base of a page's links: its own address, unless `<base href>` names another one. The root for links that begin
  /// with a slash is that of the base, unless the base is a file.
  private func bases(of document: Document, at address: Address) -> (base: LinkBase, root: LinkBase?) {
    let root = scope.rootBase(for: address)
    guard let href = document.base,
      case .address(let other) = target(of: href, base: LinkBase(address), root: root)
    else { return (LinkBase(address), root) }
    return (LinkBase(other), other.isFile ? root : nil)
  }

  /// In a folder of files, a path from the root begins at the folder.
  private func target(of link: String, base: LinkBase, root: LinkBase?) -> LinkTarget {
    if let root, Scope.isFromRoot(link) { root.target(of: "." + link) } else { base.target(of: link) }
  }

  private func target(
    of link: String, at page: Address, base: LinkBase, root: LinkBase?, _ place: (Address) -> Int
  ) -> Page.Link.Target? {
    if page.isFile, let name = ArticleName(link) {
      switch catalogues.meaning(of: name, on: page) {
      case .article(let address): return .address(place(address))
      case .unknown: return .unknownArticle
      case .symbol: return .symbol
      case nil: return nil
      }
    }
    switch target(of: link, base: base, root: root) {
    // A web page cannot link to a file of its reader's machine.
    case .address(let target): return target.isFile && !page.isFile ? nil : .address(place(target))
    case .invalid: return .invalid
    case .otherScheme: return nil
    }
  }
}
