import LinkcheckReaders

/// The scope of a check: the addresses with which the crawl begins, and the pages whose links it follows.
struct Scope: Hashable, Sendable {
  enum Kind: String, Sendable, Codable {
    case site
    case folder
    case file
  }

  let kind: Kind
  /// The first page, or the folder, whose path ends with a slash.
  let start: Address
  /// The origins of the site. More than one if its first page redirects to another origin.
  private(set) var origins: Set<Substring>

  init(site start: Address) {
    (kind, self.start, origins) = (.site, start, [start.origin])
  }

  init(folder path: [UInt8]) {
    let slash = UInt8(ascii: "/")
    (kind, start, origins) = (.folder, Address(file: path.last == slash ? path : path + [slash]), [])
  }

  init(file path: [UInt8]) {
    (kind, start, origins) = (.file, Address(file: path), [])
  }

  /// Whether the links on the page at `address` are to be checked.
  func contains(_ address: Address) -> Bool {
    switch kind {
    case .site: origins.contains(address.origin)
    case .folder:
      address.text.utf8.starts(with: start.text.utf8) && Markup(fileExtension: address.fileExtension) != nil
    case .file: address == start
    }
  }

  /// Whether `address` is on another site.
  func isRemote(_ address: Address) -> Bool {
    !address.isFile && !(kind == .site && origins.contains(address.origin))
  }

  /// The site's first page redirects to `address`, whose origin belongs to the site from now on.
  mutating func startRedirected(to address: Address) {
    if kind == .site { origins.insert(address.origin) }
  }

  /// The base of links that begin with a slash, if that differs from the base of other links.
  func rootBase(for page: Address) -> LinkBase? { kind == .folder && page.isFile ? LinkBase(start) : nil }

  /// Whether a link is a path that begins at the root.
  static func isFromRoot(_ link: String) -> Bool {
    let start = link.utf8.prefix(2).map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
    return start.first == UInt8(ascii: "/") && start != Array("//".utf8)
  }
}
