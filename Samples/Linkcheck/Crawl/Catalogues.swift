import LinkcheckReaders
import MillraceHTTP

/// The DocC catalogues in a folder, with what is needed for links by article names.
struct Catalogues: Hashable, Sendable {
  enum Meaning: Equatable {
    case article(Address)
    /// No article has the name.
    case unknown
    /// A symbol, or a page of another bundle. The folder does not contain these.
    case symbol
  }

  /// The articles of each catalogue by their names. The catalogues are indexed by the addresses of their folders.
  private var articles: [String: [String: Address]] = [:]

  /// Selects the articles and tutorials among files.
  init(of files: some Sequence<Address> = EmptyCollection()) {
    for file in files {
      guard let folder = Self.folder(of: file) else { continue }
      articles[folder, default: [:]][Self.name(of: file)] = file
    }
  }

  /// Whether a file is in a catalogue.
  static func contain(_ file: Address) -> Bool { folder(of: file) != nil }

  /// The target of an article's name on a page; `nil` if the page is in no catalogue.
  func meaning(of name: ArticleName, on page: Address) -> Meaning? {
    guard let home = Self.folder(of: page) else { return nil }
    guard let articles = articles[home] else { return .symbol }
    var components = name.components[...]
    // A link to a heading of the page itself.
    if components.isEmpty { return .article(page) }
    if name.isInOtherBundle { return .symbol }
    var catalogue = articles
    if let first = components.first, let other = self.catalogue(named: first) {
      components = components.dropFirst()
      // A catalogue's own name is that of its module.
      if components.isEmpty { return other[first].map { .article($0) } ?? .symbol }
      catalogue = other
    }
    if components.count == 1, let last = components.last {
      if let article = catalogue[last] { return .article(article) }
      return name.mayBeArticle ? .unknown : .symbol
    }
    return .symbol
  }

  private func catalogue(named name: String) -> [String: Address]? {
    let suffix = "/\(PercentEncoding.encodedPath(Array(name.utf8))).docc/"
    return articles.first { $0.key.utf8.reversed().starts(with: suffix.utf8.reversed()) }?.value
  }

  /// The text up to the innermost folder that is a catalogue.
  private static func folder(of file: Address) -> String? {
    let parts = file.text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard
      let index = parts.dropLast().lastIndex(where: {
        $0.count > 5 && $0.suffix(5).elementsEqual(".docc".utf8)
      })
    else { return nil }
    return parts[...index].map { String(Substring($0)) }.joined(separator: "/") + "/"
  }

  /// The name of an article: that of `Your first feature.md` is `Your-first-feature`.
  private static func name(of file: Address) -> String {
    let last = file.filePath.split(separator: UInt8(ascii: "/")).last ?? []
    let stem = last.lastIndex(of: UInt8(ascii: ".")).map { last[..<$0] } ?? last
    return String(decoding: stem.map { $0 == 0x20 ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }
}

/// The name in a link such as `doc:YourFirstFeature` or `doc:Module/Article#Heading`.
struct ArticleName: Hashable, Sendable {
  let components: [String]
  /// Whether it names another bundle, as `doc://org.example/documentation/Module` does.
  let isInOtherBundle: Bool

  /// The name, if the link has one.
  init?(_ link: String) {
    let reference = URLReference(link: link)
    guard reference.scheme == "doc" else { return nil }
    var parts = reference.path.utf8.split(separator: UInt8(ascii: "/")).map {
      String(decoding: PercentEncoding.decoded(Substring($0)), as: UTF8.self)
    }
    if parts.first == "documentation" || parts.first == "tutorials" { parts.removeFirst() }
    components = parts
    isInOtherBundle = reference.authority != nil
  }

  /// Whether it has no character that only the name of a function or operator has.
  var mayBeArticle: Bool { components.last?.contains { "():=<>".contains($0) } == false }
}
