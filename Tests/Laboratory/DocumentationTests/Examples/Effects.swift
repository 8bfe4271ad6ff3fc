import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceStorage
import MillraceSystem
import MillraceTesting
import Testing

@Suite struct EffectsExamples {
  struct Notes: Codable, Equatable, Sendable { var lines: [String] = [] }

  struct State: Equatable, Sendable {
    var notes = Saving(Notes())
    var loading: LoadRequest?
    var signals: Set<ProcessSignal> = []
    var downloads: Set<HTTPRequest> = []
    var uploads: Set<HTTPRequest> = []
    var search = Search.State()
  }

  enum AppAction: Sendable {
    case storage(StorageEvent)
    case loading(LoadEvent<Notes>)
    case signal(SignalEvent)
    case http(HTTPEvent)
    case download(HTTPEvent)
    case upload(HTTPEvent)
    case search(Search.Action)
  }

  static func reduce(_ state: inout State, _ action: AppAction) {
    switch action {
    // StorageEffect
    case .storage(let event): state.notes.reduce(event)
    // DelayedEffect
    case .http(.failed(let failure, of: var request)) where failure.isTransient && request.attempt < 5:
      state.downloads.remove(request)
      request.attempt += 1
      state.downloads.insert(request)
    case .http(let event), .download(let event): state.downloads.remove(event.request)
    case .upload(let event): state.uploads.remove(event.request)
    case .search(let action): Search.reduce(&state.search, action)
    case .loading, .signal: break
    }
  }

  private let store = Store(initialState: State(), on: .immediate, reduce: reduce)
  private let client = SearchClient()

  @Test("a storage is connected")
  func storing() async throws {
    let storage = FileStorage<Notes>(at: "/dev/null/nothing")
    // StorageEffect
    store.connect(StorageEffect(storage), to: \.notes, action: AppAction.storage)
    // LoadEffect
    store.connect(LoadEffect(storage), to: \.loading, action: AppAction.loading)
    await store.settled()
    #expect(store.activity.entries.count == 2)
  }

  @Test("signals are heard")
  func signals() async {
    // SignalEffect
    store.connect(SignalEffect(), to: \.signals, action: AppAction.signal, longRunning: true)
    await store.settled()
    #expect(store.activity.entries.count == 1)
  }

  @Test("effects have policies around them")
  func policies() async throws {
    // LimitedEffect
    store.connect(HTTPEffect().limited(to: 4), to: \.downloads, action: AppAction.http)

    let uploads = HTTPEffect()
    try shared(uploads: uploads, downloads: uploads)
    try backingOff()
    try debounced()

    // TimeoutEffect
    let search = SearchEffect(client: client).timingOut(after: .seconds(5)) { query in .gaveUp(query) }
    store.connect(search, to: \.search, action: AppAction.search)
    byRequest()
    await store.settled()
    #expect(store.activity.entries.count == 7)
  }

  private func byRequest() {
    // TimeoutEffect, by request
    let search = SearchEffect(client: client).timingOut(
      after: { query in .seconds(query.count < 3 ? 20 : 5) }, action: { query in .gaveUp(query) })
    store.connect(search, to: \.search, action: AppAction.search)
  }

  private func shared(uploads: HTTPEffect, downloads: HTTPEffect) throws {
    // ConcurrencyLimit
    let uplink = ConcurrencyLimit(4)
    store.connect(uploads.limited(by: uplink), to: \.uploads, action: AppAction.upload)
    store.connect(downloads.limited(by: uplink), to: \.downloads, action: AppAction.download)
  }

  private func backingOff() throws {
    // DelayedEffect
    let downloads = HTTPEffect().backingOff(by: Backoff(), attempt: { $0.attempt })
    store.connect(downloads, to: \.downloads, action: AppAction.http)
  }

  private func debounced() throws {
    // DebouncedEffect
    let search = SearchEffect(client: client).debounced(for: .milliseconds(300))
    store.connect(search, to: \.search, action: AppAction.search)
  }

  @Test("delays grow")
  func delays() {
    // Backoff
    let backoff = Backoff(first: .milliseconds(200), cap: .seconds(10), jitter: 0)
    let delays = (1...3).map { backoff.delay(before: $0) }  // zero, 200 ms, 400 ms
    #expect(delays == [.zero, .milliseconds(200), .milliseconds(400)])
  }

  @Test("a request has headers and a timeout")
  func request() {
    // HTTPRequest
    var request = HTTPRequest("https://example.org/feed")
    request.headers["accept"] = "application/json"
    request.timeout = .seconds(5)
    #expect(request.headers["Accept"] == "application/json")
  }

  @Test("fields repeat, and descriptions show no secrets")
  func fields() {
    // HTTPHeaders
    var headers: HTTPHeaders = ["accept": "text/html", "x-session": "1f0a"]
    headers.append("text/plain", to: "accept")
    headers.secretNames.insert("x-session")
    let shown = "\(headers)"  // accept: text/html, accept: text/plain, x-session: ***, a line each
    #expect(shown == "accept: text/html\naccept: text/plain\nx-session: ***")
  }

  @Test("a version that is known is asked about")
  func version() {
    let page = HTTPResponse(headers: ["etag": "\"v1\""])
    // HTTPValidator
    var again = HTTPRequest("https://example.org/feed")
    again.known = page.validator
    #expect(again.known?.entityTag == "\"v1\"")
  }

  // Compiled and not called: these touch the network and the disk.

  private func page() async throws -> HTTPResponse {
    // HTTPClient
    let page = try await HTTPClient().load(HTTPRequest("https://example.org/"))
    return page
  }

  private func stored() async throws -> StoredValue<Notes> {
    // FileStorage
    let storage = FileStorage<Notes>(at: "/home/me/.notes")
    let stored = try await storage.load()
    return stored
  }

  private func downloads() {
    // HTTPEffect
    store.connect(HTTPEffect(), to: \.downloads, action: AppAction.http)
  }
}

@Suite struct WallClockExamples {
  // WallClockTimerEffect
  struct Reports: Sendable {
    var timers: Set<WallClockTimerRequest<String>> = [
      WallClockTimerRequest("report", .daily(at: .init(6), timeZone: "Europe/Berlin"))
    ]
  }

  enum ReportsAction: Sendable {
    case timer(WallClockTimerEvent<String>)
  }

  @Test("timers by the wall clock are long-running")
  func timers() async {
    let store = Store(initialState: Reports()) { (_: inout Reports, _: ReportsAction) in }
    store.connect(WallClockTimerEffect(), to: \.timers, action: ReportsAction.timer, longRunning: true)
    await store.settled()
    // WallClockSchedule
    let schedule = WallClockSchedule.daily(at: .init(6, 30), timeZone: "Europe/Berlin")
    #expect(store.state.timers.first?.schedule != schedule)
    #expect(await store.shutdown().isClean)
  }
}

@Suite struct FolderExamples {
  struct Spool: Sendable {
    var folders: Set<FolderWatchRequest> = []
  }

  enum SpoolAction: Sendable {
    case folder(FolderWatchEvent)
  }

  @Test("watching folders is long-running")
  func folders() async {
    // FolderWatchRequest
    let inbox = FolderWatchRequest("/var/spool/inbox", quiet: .seconds(1))
    let store = Store(initialState: Spool(folders: [inbox])) { (_: inout Spool, _: SpoolAction) in }
    // FolderWatchEffect
    store.connect(FolderWatchEffect(), to: \.folders, action: SpoolAction.folder, longRunning: true)
    await store.settled()
    #expect(await store.shutdown().isClean)
  }
}

@Suite struct TimerExamples {
  // TimerEffect
  struct Feed: Sendable {
    var timers: Set<TimerRequest<String>> = [TimerRequest("refresh", .every(.seconds(30)))]
  }

  enum FeedAction: Sendable {
    case timer(TimerEvent<String>)
  }

  struct Uptime: Equatable, Sendable {
    var timers: Set = [TimerRequest("uptime", .every(.seconds(30)))]
    var seconds = 0
    var problem: String?
  }

  static func reduceUptime(_ state: inout Uptime, _ action: FeedAction) {
    switch action {
    // TimersAndPolling, timers
    case .timer(.fired(_, let tick)): state.seconds += 30 * (tick.missed + 1)
    case .timer(.refused(_, let refusal)): state.problem = "\(refusal)"
    }
  }

  @Test("ticks that were missed are counted")
  func missed() async {
    let clock = TestClock()
    let store = Store(initialState: Uptime(), reduce: Self.reduceUptime)
    store.connect(TimerEffect(clock: clock), to: \.timers, action: FeedAction.timer, longRunning: true)
    await #expect(throws: Never.self) { try await clock.sleepers(atLeast: 1) }
    clock.advance(by: .seconds(100))  // in one step, as if the machine had slept
    _ = await store.first { $0.seconds > 0 }
    #expect(store.state.seconds == 90)
    #expect(await store.shutdown().isClean)
  }

  @Test("timers of the state are long-running")
  func timers() async {
    let store = Store(initialState: Feed()) { (_: inout Feed, _: FeedAction) in }
    store.connect(TimerEffect(), to: \.timers, action: FeedAction.timer, longRunning: true)
    await store.settled()
    // TimerRequest
    let refresh = TimerRequest("refresh", .every(.seconds(30)))
    #expect(store.state.timers == [refresh])
    #expect(await store.shutdown().isClean)
  }
}
