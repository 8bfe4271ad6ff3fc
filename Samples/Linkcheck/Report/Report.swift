import LinkcheckReaders

/// The result of a check.
struct Report: Equatable, Sendable, Encodable {
  /// A link and its problem.
  struct Problem: Hashable, Sendable, Encodable {
    /// The page with the link: a URL, or a path in the form of the command's argument.
    var page: String
    /// The line of the page, counted from 1.
    var line: Int
    /// The link as written on the page.
    var link: String
    /// The target of the link; `nil` if it has none.
    var url: String?
    var kind: Trouble.Kind
    var message: String
  }

  /// The target of the check.
  var target: String
  /// The number of pages that were read for links.
  var pages = 0
  /// The number of checked links.
  var links = 0
  /// The number of skipped links: those to other sites, and to symbols that only DocC knows.
  var skipped = 0
  /// The broken links.
  var broken: [Problem] = []
  /// The existing pages that were not read, each once, so that their links and anchors are unknown.
  var unchecked: [Problem] = []
}

extension Report {
  /// Judges every link on every page of a finished crawl.
  ///
  /// - Parameter name: returns the name of an address in the report.
  init(of crawl: Crawl.State, target: String, name: (Address) -> String) {
    self.init(target: target)
    for (folder, message) in crawl.unreadableFolders.sorted(by: { $0.key < $1.key }) {
      note(Trouble(.unreadable, "cannot be searched: \(message)"), on: name(folder))
    }
    let symbols = crawl.symbols
    var unread = UnreadPages()
    for address in crawl.findings.keys.sorted() where crawl.scope.contains(address) {
      switch crawl.findings[address] {
      case .page(let page):
        if page.markup.isPage { pages += 1 }
        for link in page.links {
          judge(link, of: page, symbols, in: crawl, name, &unread, pageName: name(address))
        }
      case .trouble(let trouble) where crawl.scope.kind == .folder && trouble.kind == .unreadable:
        // A page of a folder may have no link to it, but it must be reported if it cannot be read.
        note(trouble, on: name(address))
      case .oversized, .unreadable:
        if case .unchecked(let page, let message) = crawl.verdict(on: address) { unread.note(page, message) }
      default:
        break
      }
    }
    unchecked = unread.problems(name)
  }

  private mutating func judge(
    _ link: Page.Link, of page: Page, _ symbols: Set<String>, in crawl: Crawl.State,
    _ name: (Address) -> String, _ unread: inout UnreadPages, pageName: @autoclosure () -> String
  ) {
    var target: Address?
    let verdict: Verdict
    switch link.target {
    case .symbol:
      skipped += 1
      return
    case .unknownArticle:
      // Articles may link to symbols in the same way. Names that the catalogue uses for symbols count as symbols.
      guard let article = ArticleName(link.text), !article.components.contains(where: symbols.contains) else {
        skipped += 1
        return
      }
      verdict = .broken(Trouble(.missing, "no such article in the catalogue"))
    case .invalid:
      verdict = .broken(Trouble(.invalid, "not a URL"))
    case .address(let place):
      let address = page.targets[place]
      guard !crawl.isSkipped(address) else {
        skipped += 1
        return
      }
      target = address
      verdict = crawl.verdict(on: address, for: link)
    }
    links += 1
    switch verdict {
    case .good: break
    case .unchecked(let page, let message): unread.linkFound(to: page, message)
    case .broken(let trouble):
      broken.append(Problem(link, to: target, on: pageName(), trouble))
    }
  }

  /// Adds a problem of a whole page or folder.
  private mutating func note(_ trouble: Trouble, on page: String) {
    broken.append(Problem(page: page, line: 1, link: "", kind: trouble.kind, message: trouble.message))
  }
}

extension Report.Problem {
  fileprivate init(_ link: Page.Link, to target: Address?, on page: String, _ trouble: Trouble) {
    self.init(
      page: page, line: link.line, link: link.text, url: target?.text, kind: trouble.kind,
      message: trouble.message)
  }
}

extension Crawl.State {
  /// The symbols named by the articles of DocC catalogues.
  fileprivate var symbols: Set<String> {
    findings.values.reduce(into: []) { symbols, finding in
      if case .page(let page) = finding { symbols.formUnion(page.symbols) }
    }
  }
}

/// The pages that were not read, each once, and the number of links to each.
private struct UnreadPages {
  private var pages: [Address: (message: String, links: Int)] = [:]

  mutating func note(_ page: Address, _ message: String) { pages[page, default: (message, 0)].links += 0 }
  mutating func linkFound(to page: Address, _ message: String) {
    pages[page, default: (message, 0)].links += 1
  }

  func problems(_ name: (Address) -> String) -> [Report.Problem] {
    pages.sorted { $0.key < $1.key }.map { page, unread in
      let links = unread.links
      let found = links == 0 ? "" : links == 1 ? "; 1 link leads there" : "; \(links) links lead there"
      return Report.Problem(
        page: name(page), line: 1, link: "", url: page.text, kind: .unread, message: unread.message + found)
    }
  }
}
