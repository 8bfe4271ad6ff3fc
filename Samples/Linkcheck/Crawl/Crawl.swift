import Foundation
import LinkcheckReaders
import Millrace
import MillraceEffects
import MillraceHTTP

/// Checks every address that can be reached inside a scope, and each address linked from there once.
///
/// | field | what |
/// |---|---|
/// | `waiting` | addresses whose turn has not come yet |
/// | `loading`, `bodies` | at most `jobs` addresses in all, being fetched or being read |
/// | `delayed` | addresses that had a transient failure, until their next attempt is due |
/// | `findings` | addresses that are done |
/// | `unreadableFolders` | folders in which no pages could be searched for |
///
/// An address is in exactly one of the first four rows.
enum Crawl {
  struct State: Equatable, Sendable {
    let settings: Settings
    private(set) var scope: Scope
    private(set) var catalogues = Catalogues()
    private(set) var phase = Phase.idle
    private(set) var waiting = Queue<Waiting>()
    private(set) var loading: [Address: Load] = [:]
    private(set) var bodies: [Address: Body] = [:]
    private(set) var delayed: [Address: Load] = [:]
    private(set) var findings: [Address: Finding] = [:]
    private(set) var unreadableFolders: [Address: String] = [:]
    /// The addresses whose findings were not taken yet, in order.
    private var newlyFound: [Address] = []
    /// The number of findings that are troubles.
    private(set) var troubles = 0
    private(set) var known: Set<Address> = []
    /// The number of consecutive redirects that lead to an address, if any.
    private var redirectsBefore: [Address: Int] = [:]

    init(scope: Scope, settings: Settings = Settings()) {
      self.scope = scope
      self.settings = settings
    }
  }

  enum Action: Equatable, Sendable {
    /// The crawl begins, with the findings that are already known.
    case began(knowing: [Address: Finding])
    case listed(FolderListing)
    case answered(HTTPEvent)
    case fileRead(Address, FileContent)
    case parsed(Address, Page)
    case timer(TimerEvent<Address>)
    /// The crawl is to be stopped.
    case stopped
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .began(let findings): state.began(knowing: findings)
    case .listed(let listing): state.listed(listing)
    case .answered(let event): state.answered(event)
    case .fileRead(let address, let content): state.fileRead(address, content)
    case .parsed(let address, let page): state.parsed(address, page)
    case .timer(.fired(let address, _)), .timer(.refused(let address, _)): state.retryDue(address)
    case .stopped: state.stopped()
    }
    state.startLoading()
  }
}

extension Crawl.State {
  fileprivate mutating func began(knowing findings: [Address: Finding]) {
    guard phase == .idle else { return }
    switch scope.kind {
    case .folder: phase = .listing
    case .site, .file: phase = .running
    }
    self.findings = findings
    known = Set(findings.keys)
    troubles = findings.values.count(where: \.isTrouble)
    if scope.kind != .folder { enqueue(scope.start) }
    // The first page comes first, since the target of its redirects belongs to the site.
    for address in [scope.start] + findings.keys.sorted() {
      if let finding = findings[address] { self.findings[address] = follow(finding, of: address) }
    }
  }

  fileprivate mutating func listed(_ listing: FolderListing) {
    guard phase == .listing else { return }
    switch listing {
    case .found(let contents):
      unreadableFolders = contents.unreadable
      catalogues = Catalogues(of: contents.pages + contents.tutorials)
      // With unreadable folders, a check without pages is not a failure: the report lists the folders.
      guard !contents.pages.isEmpty || !contents.unreadable.isEmpty else {
        phase = .failed("there are no Markdown or HTML files in \(FilePath.text(scope.start.filePath))")
        return
      }
      phase = .running
      for page in contents.pages.sorted() { enqueue(page) }
    case .unreadable(let message):
      phase = .failed("cannot read \(FilePath.text(scope.start.filePath)): \(message)")
    }
  }

  fileprivate mutating func answered(_ event: HTTPEvent) {
    // The address in the request may be an alias.
    guard let (address, load) = loading.first(where: { request(for: $0.key, $0.value) == event.request })
    else {
      return
    }
    loading[address] = nil
    switch HTTPJudgement(event, of: address) {
    case .finding(let finding):
      found(finding, at: address)
    case .page(let markup, let charset, let data):
      read(.data(data, charset: charset), markup, at: address)
    case .headRefused:
      loading[address] = Crawl.Load(attempt: load.attempt)
    case .transient(let trouble) where load.attempt >= settings.attempts:
      found(.trouble(trouble), at: address)
    case .transient:
      delayed[address] = Crawl.Load(attempt: load.attempt + 1, isHead: load.isHead)
    }
  }

  fileprivate mutating func fileRead(_ address: Address, _ content: FileContent) {
    guard loading.removeValue(forKey: address) != nil else { return }
    switch content {
    case .page(let markup, let document, let size):
      read(.document(document, size: size), markup, at: address)
    case .other: found(.exists, at: address)
    case .elsewhere(let other): found(.redirect(to: other), at: address)
    case .oversized(let limit): found(.oversized(limit: limit), at: address)
    case .undecodable(let encoding): found(.unreadable(encoding), at: address)
    case .missing: found(.trouble(Trouble(.missing, "no such file")), at: address)
    case .unreadable(let message): found(.trouble(Trouble(.unreadable, message)), at: address)
    }
  }

  private mutating func read(_ content: Body.Content, _ markup: Markup, at address: Address) {
    bodies[address] = Body(
      address: address, markup: markup, content: content,
      resolver: LinkResolver(scope: scope, catalogues: catalogues))
  }

  fileprivate mutating func parsed(_ address: Address, _ page: Page) {
    guard bodies.removeValue(forKey: address) != nil else { return }
    found(.page(page), at: address)
  }

  fileprivate mutating func retryDue(_ address: Address) {
    guard let load = delayed.removeValue(forKey: address) else { return }
    waiting.append(Crawl.Waiting(address: address, load: load))
  }

  fileprivate mutating func stopped() {
    phase = .stopped
    for address in (Array(loading.keys) + bodies.keys + delayed.keys).sorted() {
      waiting.append(Crawl.Waiting(address: address))
    }
    (loading, bodies, delayed) = ([:], [:], [:])
  }

  fileprivate mutating func startLoading() {
    guard phase == .running else { return }
    while loading.count + bodies.count < settings.jobs, let next = waiting.popFirst() {
      loading[next.address] = next.load ?? Crawl.Load(isHead: isHeadEnough(for: next.address))
    }
  }
}

extension Crawl.State {
  /// Returns the addresses found since the last call, in order.
  mutating func takeNewlyFound() -> [Address] {
    defer { newlyFound = [] }
    return newlyFound
  }

  private mutating func found(_ finding: Finding, at address: Address) {
    findings[address] = follow(finding, of: address)
    newlyFound.append(address)
    if finding.isTrouble { troubles += 1 }
  }

  /// Adds the addresses that a finding leads to. Returns the finding with shared texts of addresses that are already
  /// known, since most links of a site lead to the same pages.
  private mutating func follow(_ finding: Finding, of address: Address) -> Finding {
    switch finding {
    case .page(var page):
      guard scope.contains(address) else { return finding }
      for index in page.targets.indices { page.targets[index] = enqueue(page.targets[index]) }
      return .page(page)
    case .redirect(let target):
      if isStart(address) { scope.startRedirected(to: target) }
      let redirects = redirectsBefore[address, default: 0] + 1
      // A server can invent a new address for each redirect.
      guard redirects <= Self.mostRedirects else { return finding }
      if redirectsBefore[target] == nil { redirectsBefore[target] = redirects }
      return .redirect(to: enqueue(target))
    case .exists, .oversized, .unreadable, .trouble:
      return finding
    }
  }

  /// The largest number of consecutive redirects that are followed.
  static let mostRedirects = 20

  /// Whether `address` is the first page, or the first page redirects to it.
  private func isStart(_ address: Address) -> Bool {
    var next = scope.start
    for _ in 0..<Self.mostRedirects {
      if next == address { return true }
      guard case .redirect(let target)? = findings[next] else { return false }
      next = target
    }
    return false
  }

  /// Adds an address to the queue, if it is not known yet. Returns the known instance.
  @discardableResult
  private mutating func enqueue(_ address: Address) -> Address {
    guard !isSkipped(address) else { return address }
    let (isNew, known) = known.insert(address)
    if isNew { waiting.append(Crawl.Waiting(address: address)) }
    return known
  }

  /// Whether `address` is skipped because it is on another site.
  func isSkipped(_ address: Address) -> Bool { settings.isOffline && scope.isRemote(address) }

  /// Whether it suffices to know that `address` exists.
  private func isHeadEnough(for address: Address) -> Bool {
    scope.isRemote(address) || Self.assets.contains(address.fileExtension)
  }

  private static let assets: Set<String> = [
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "js", "mjs", "json", "xml", "txt",
    "pdf",
    "zip", "gz", "xz", "bz2", "tar", "tgz", "dmg", "exe", "mp3", "mp4", "webm", "ogg", "woff", "woff2", "ttf",
  ]
}
