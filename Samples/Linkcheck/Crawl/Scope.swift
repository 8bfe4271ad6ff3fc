/// What is being checked: where the crawl begins, and whose links it follows.
struct Scope: Hashable, Sendable, Codable {
  enum Kind: String, Sendable, Codable {
    case site
    case folder
    case file
  }

  let kind: Kind
  /// The first page, or the folder, whose path ends with a slash.
  let start: Address
  /// The origins that belong to the site. More than one where its first page redirects to another.
  private(set) var origins: Set<String>

  init(site start: Address) {
    (kind, self.start, origins) = (.site, start, [start.origin])
  }

  init(folder path: String) {
    let path = path.hasSuffix("/") ? path : path + "/"
    (kind, start, origins) = (.folder, Address(file: path), [])
  }

  init(file path: String) {
    (kind, start, origins) = (.file, Address(file: path), [])
  }

  /// Whether the links on the page at `address` are to be checked.
  func contains(_ address: Address) -> Bool {
    switch kind {
    case .site: origins.contains(address.origin)
    case .folder: address.text.hasPrefix(start.text) && Markup(fileExtension: address.fileExtension) != nil
    case .file: address == start
    }
  }

  /// Whether `address` is on another site.
  func isRemote(_ address: Address) -> Bool {
    !address.isFile && !(kind == .site && origins.contains(address.origin))
  }

  /// The site's first page redirects to `address`, whose origin is the site's own from now on.
  mutating func startRedirected(to address: Address) {
    if kind == .site { origins.insert(address.origin) }
  }

  /// What a link on a page means.
  func target(of link: String, on page: Address, base: String?) -> Address.Target {
    var base: Address = page.resolvingBase(base)
    var link = link
    // In a folder of files, a path from the root means the folder's root.
    if kind == .folder, page.isFile, link.hasPrefix("/"), !link.hasPrefix("//") {
      base = start
      link = "." + link
    }
    let target = base.resolving(link)
    // A web page cannot lead to a file of the reader's machine.
    if case .address(let address, _) = target, address.isFile, !page.isFile { return .otherScheme }
    return target
  }
}

extension Address {
  /// The address against which a page resolves its links, which may name another by `<base href>`.
  fileprivate func resolvingBase(_ base: String?) -> Address {
    guard let base, case .address(let address, _) = resolving(base) else { return self }
    return address
  }
}
