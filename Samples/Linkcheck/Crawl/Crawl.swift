import Foundation
import Millrace
import MillraceEffects

/// Looks at every address that can be reached inside a scope, and once at each that is linked to from it.
///
/// | field | what |
/// |---|---|
/// | `waiting` | addresses whose turn has not come yet |
/// | `loading`, `bodies` | at most `jobs` addresses in all, being fetched or being read |
/// | `delayed` | addresses that had a transient failure, until their next attempt is due |
/// | `findings` | addresses that are done |
///
/// An address is in exactly one of them.
enum Crawl {
  struct Settings: Equatable, Sendable {
    /// Whether links to other sites are left alone.
    var isOffline = false
    /// How many addresses are looked at at once.
    var jobs = 6
    /// How often an address is tried in all.
    var attempts = 3
    /// The longest that one exchange may take.
    var timeout: Duration = .seconds(10)
    /// The largest page that is read, in bytes.
    var largestPage = 2 << 20
    var backoff = Backoff(first: .milliseconds(200), cap: .seconds(5))
    /// Origins that are to be reached under another one, as the demo site is.
    var aliases: [String: String] = [:]
  }

  /// One attempt at one address.
  struct Load: Hashable, Sendable {
    var attempt = 1
    var isHead = false
  }

  /// An address whose turn has not come; `load` is its next attempt, if it is not the first.
  struct Waiting: Equatable, Sendable {
    var address: Address
    var load: Load?
  }

  enum Phase: Equatable, Sendable {
    case idle
    /// Looking for the pages in a folder.
    case listing
    case running
    case stopped
    /// There is nothing to crawl, for this reason.
    case failed(String)
  }

  struct State: Equatable, Sendable {
    let settings: Settings
    private(set) var scope: Scope
    private(set) var phase = Phase.idle
    private(set) var waiting = Queue<Waiting>()
    private(set) var loading: [Address: Load] = [:]
    private(set) var bodies: [Address: Body] = [:]
    private(set) var delayed: [Address: Load] = [:]
    private(set) var findings: [Address: Finding] = [:]
    /// How many of the findings are troubles.
    private(set) var troubles = 0
    private var known: Set<Address> = []

    init(scope: Scope, settings: Settings = Settings()) {
      self.scope = scope
      self.settings = settings
    }
  }

  enum Action: Equatable, Sendable {
    /// Go, from what is known already.
    case began(knowing: [Address: Finding])
    case listed(FolderListing)
    case answered(HTTPEvent)
    case fileRead(Address, FileContent)
    case parsed(Address, Document)
    case timer(TimerEvent<Address, ContinuousClock.Instant>)
    /// No more is wanted.
    case stopped
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .began(let findings): state.began(knowing: findings)
    case .listed(let listing): state.listed(listing)
    case .answered(let event): state.answered(event)
    case .fileRead(let address, let content): state.fileRead(address, content)
    case .parsed(let address, let document): state.parsed(address, document)
    case .timer(.fired(let address, _)), .timer(.refused(let address, _)): state.retryDue(address)
    case .stopped: state.stopped()
    }
    state.startLoading()
  }
}

extension Crawl.State {
  /// Whether everything has been looked at.
  var isFinished: Bool {
    phase == .running && waiting.isEmpty && loading.isEmpty && bodies.isEmpty && delayed.isEmpty
  }

  /// Why the check is about nothing, for people: where it was to begin, there is no page.
  var failure: String? {
    if case .failed(let message) = phase { return message }
    guard isFinished, scope.kind != .folder else { return nil }
    let start = scope.start.isFile ? scope.start.filePath : scope.start.text
    switch verdict(on: scope.start, fragment: "") {
    case .broken(let trouble): return "cannot read \(start): \(trouble.message)"
    case .unchecked(let message): return "cannot check \(start): \(message)"
    case .good: return hasPage ? nil : "not a page of HTML or Markdown: \(start)"
    }
  }

  /// Whether a page of the scope has been read.
  var hasPage: Bool {
    findings.contains { if case .page = $0.value { scope.contains($0.key) } else { false } }
  }

  /// The findings that spare work when the check is broken off and begun again. Files are not among them: they
  /// are quick to read, and may have been mended meanwhile.
  var findingsToKeep: [Address: Finding] {
    scope.kind == .site ? findings : findings.filter { !$0.key.isFile }
  }

  /// How many addresses are known.
  var knownCount: Int { known.count }

  /// Each known address is in one place, and no more are in work than there are jobs.
  var isConsistent: Bool {
    let places = [
      Set(waiting.map(\.address)), Set(loading.keys), Set(bodies.keys), Set(delayed.keys), Set(findings.keys),
    ]
    return places.reduce(0) { $0 + $1.count } == known.count
      && places.reduce(Set()) { $0.union($1) } == known && loading.count + bodies.count <= settings.jobs
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
    troubles = findings.values.count { if case .trouble = $0 { true } else { false } }
    if scope.kind != .folder { enqueue(scope.start) }
    // The first page comes first: where it redirects to says what belongs to the site.
    for address in [scope.start] + findings.keys.sorted() {
      if let finding = findings[address] { follow(finding, of: address) }
    }
  }

  fileprivate mutating func listed(_ listing: FolderListing) {
    guard phase == .listing else { return }
    switch listing {
    case .pages(let pages) where pages.isEmpty:
      phase = .failed("there are no Markdown or HTML files in \(scope.start.filePath)")
    case .pages(let pages):
      phase = .running
      for page in pages.sorted() { enqueue(page) }
    case .unreadable(let message):
      phase = .failed("cannot read \(scope.start.filePath): \(message)")
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
    case .page(let markup, let data):
      bodies[address] = Body(address: address, markup: markup, data: data)
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
    case .page(let markup, let data): bodies[address] = Body(address: address, markup: markup, data: data)
    case .other: found(.exists, at: address)
    case .oversized(let limit): found(.oversized(limit: limit), at: address)
    case .missing: found(.trouble(Trouble(.missing, "no such file")), at: address)
    case .unreadable(let message): found(.trouble(Trouble(.unreadable, message)), at: address)
    }
  }

  fileprivate mutating func parsed(_ address: Address, _ document: Document) {
    guard bodies.removeValue(forKey: address) != nil else { return }
    found(.page(document), at: address)
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
  private mutating func found(_ finding: Finding, at address: Address) {
    findings[address] = finding
    if case .trouble = finding { troubles += 1 }
    follow(finding, of: address)
  }

  private mutating func follow(_ finding: Finding, of address: Address) {
    switch finding {
    case .page(let document):
      guard scope.contains(address) else { return }
      for link in document.links {
        if case .address(let target, _) = scope.target(of: link.text, on: address, base: document.base) {
          enqueue(target)
        }
      }
    case .redirect(let target):
      if isStart(address) { scope.startRedirected(to: target) }
      enqueue(target)
    case .exists, .oversized, .trouble:
      break
    }
  }

  /// Whether `address` is the first page, or the first page redirects to it.
  private func isStart(_ address: Address) -> Bool {
    var next = scope.start
    for _ in 0..<20 {
      if next == address { return true }
      guard case .redirect(let target)? = findings[next] else { return false }
      next = target
    }
    return false
  }

  private mutating func enqueue(_ address: Address) {
    guard !isSkipped(address), known.insert(address).inserted else { return }
    waiting.append(Crawl.Waiting(address: address))
  }

  /// Whether `address` is left alone because it is on another site.
  func isSkipped(_ address: Address) -> Bool { settings.isOffline && scope.isRemote(address) }

  /// Whether it is enough to know that `address` is there.
  private func isHeadEnough(for address: Address) -> Bool {
    scope.isRemote(address) || Self.assets.contains(address.fileExtension)
  }

  private static let assets: Set<String> = [
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "css", "js", "mjs", "json", "xml", "txt",
    "pdf",
    "zip", "gz", "xz", "bz2", "tar", "tgz", "dmg", "exe", "mp3", "mp4", "webm", "ogg", "woff", "woff2", "ttf",
  ]
}
