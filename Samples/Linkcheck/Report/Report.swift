/// What came of a check.
struct Report: Equatable, Sendable, Encodable {
  /// A link and what is wrong with it.
  struct Problem: Hashable, Sendable, Encodable {
    /// The page that has the link: a URL, or a path as the command was given it.
    var page: String
    /// The line of the page, counted from 1.
    var line: Int
    /// The link as it stands there.
    var link: String
    /// What the link means; `nil` if it means nothing.
    var url: String?
    var kind: Trouble.Kind
    var message: String
  }

  /// What was checked.
  var target: String
  /// How many pages were read for links.
  var pages = 0
  /// How many links were checked.
  var links = 0
  /// How many links to other sites were left alone.
  var skipped = 0
  /// The links that lead nowhere.
  var broken: [Problem] = []
  /// Links to what is there and was not read, so that their anchors and what is behind them are not known.
  var unchecked: [Problem] = []
}

extension Report {
  /// Judges every link on every page of a finished crawl.
  ///
  /// - Parameter name: How an address is to be called.
  init(of crawl: Crawl.State, target: String, name: (Address) -> String) {
    self.init(target: target)
    for (address, finding) in crawl.findings.sorted(by: { $0.key < $1.key })
    where crawl.scope.contains(address) {
      switch finding {
      case .page(let document):
        pages += 1
        for link in document.links {
          judge(link, on: address, base: document.base, in: crawl, name: name)
        }
      case .trouble(let trouble) where crawl.scope.kind == .folder && trouble.kind == .unreadable:
        // Nobody need link to a page of a folder; that it cannot be read must be told all the same.
        note(trouble, Link(text: "", line: 1), url: nil, on: name(address))
      default:
        break
      }
    }
  }

  private mutating func judge(
    _ link: Link, on page: Address, base: String?, in crawl: Crawl.State, name: (Address) -> String
  ) {
    switch crawl.scope.target(of: link.text, on: page, base: base) {
    case .otherScheme:
      return
    case .invalid:
      links += 1
      note(Trouble(.invalid, "not a URL"), link, url: nil, on: name(page))
    case .address(let target, _) where crawl.isSkipped(target):
      skipped += 1
    case .address(let target, let fragment):
      links += 1
      let problem = Problem(
        page: name(page), line: link.line, link: link.text, url: target.text, kind: .anchor, message: "")
      switch crawl.verdict(on: target, fragment: fragment ?? "") {
      case .good: break
      case .unchecked(let message): unchecked.append(problem.because(.unread, message))
      case .broken(let trouble): broken.append(problem.because(trouble.kind, trouble.message))
      }
    }
  }

  private mutating func note(_ trouble: Trouble, _ link: Link, url: String?, on page: String) {
    broken.append(
      Problem(
        page: page, line: link.line, link: link.text, url: url, kind: trouble.kind, message: trouble.message))
  }
}

extension Report.Problem {
  fileprivate func because(_ kind: Trouble.Kind, _ message: String) -> Self {
    var problem = self
    (problem.kind, problem.message) = (kind, message)
    return problem
  }
}
