import Foundation
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

// PolicyEffect
struct WhileOnline<Base: EffectComponent>: PolicyEffect {
  let base: Base
  let network: Network
  func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    guard await network.isOnline() else { return }  // false also once the task is cancelled
    try await runBase(requests, send: send)
  }
}

struct Network: Sendable {
  let gate: Gate

  /// Waits until the network is there.
  func isOnline() async -> Bool {
    do { try await gate.wait() } catch { return false }
    return true
  }
}

struct Thumbnail: Hashable, Sendable {
  var name: String
  var isVisible: Bool
}

struct ThumbnailEffect: EffectComponent {
  func requests(in thumbnails: Set<Thumbnail>) -> Set<Thumbnail> { thumbnails }
  func run(_ thumbnail: Thumbnail, send: Send<String>) async { await send(thumbnail.name) }
}

@Suite struct PolicyExamples {
  struct State: Equatable, Sendable {
    var downloads: Set<HTTPRequest> = []
    var uploads: Set<HTTPRequest> = []
    var search = Search.State()
    var isWatchingCircuit = true
    var circuit = CircuitState.open
    var story: [String] = []
  }

  enum AppAction: Sendable {
    case http(HTTPEvent)
    case upload(HTTPEvent)
    case retrying(HTTPRequest, attempt: Int)
    case gaveUp(HTTPRequest)
    case refused(HTTPRequest, CircuitRefusal)
    case circuit(CircuitState)
    case search(Search.Action)
  }

  static func reduce(_ state: inout State, _ action: AppAction) {
    switch action {
    case .http(let event): state.story.append("\(event)")
    case .retrying(_, let attempt): state.story.append("attempt \(attempt)")
    case .gaveUp: state.story.append("gave up")
    case .refused: state.story.append("refused")
    case .circuit(let circuit): state.circuit = circuit
    case .search(let action): Search.reduce(&state.search, action)
    case .upload: break
    }
  }

  private let store = Store(initialState: State(), on: .immediate, reduce: reduce)
  private let client = SearchClient()
  private let breaker = CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))

  private struct CachedPages: EffectComponent {
    func requests(in pages: Set<HTTPRequest>) -> Set<HTTPRequest> { pages }
    func run(_ page: HTTPRequest, send: Send<AppAction>) async { await send(.gaveUp(page)) }
  }

  @Test("effects have further policies around them")
  func connected() async {
    // RetriedEffect
    let downloads = HTTPEffect().mapped(AppAction.http).retried(
      times: 4, by: Backoff(first: .seconds(1)), when: { retry, _ in retry.failure.isTransient },
      action: { retry, request in .retrying(request, attempt: retry.attempt) })
    store.connect(downloads, to: \.downloads)

    gaveUp()
    inSequence()
    throttled()
    guarded()
    timedOut()
    ordered()
    polled()
    composed()
    hedged()
    byRequest()
    fallback()
    guardedByHost()
    polledWithJitter()
    debounced()
    leading()
    suggestions()
    shared(uploads: HTTPEffect(), downloads: HTTPEffect())
    metered()
    #expect(store.activity.entries.count == 22)
    _ = await store.shutdown()
  }

  private func gaveUp() {
    // MappedEffect
    let search = HTTPEffect().mapped(AppAction.http).timingOut(after: .seconds(5)) { request in
      .gaveUp(request)
    }
    store.connect(search, to: \.downloads)
  }

  private func inSequence() {
    // LimitedEffect, in sequence
    store.connect(HTTPEffect().inSequence(), to: \.uploads, action: AppAction.upload)
  }

  private func throttled() {
    // ThrottledEffect
    let search = SearchEffect(client: client).throttled(for: .seconds(1))
    store.connect(search, to: \.search, action: AppAction.search)
  }

  private func guarded() {
    // GuardedEffect
    let pages = HTTPEffect().mapped(AppAction.http)
      .guarded(by: breaker, counting: \.isTransient) { refusal, request in .refused(request, refusal) }
    store.connect(pages, to: \.downloads)
  }

  private func timedOut() {
    // TimeoutEffect, failing
    let pages = HTTPEffect().timingOut(after: .seconds(5), failure: { _ in .timedOut })
    store.connect(pages, to: \.downloads, action: AppAction.http)
  }

  private func ordered() {
    // LimitedEffect, ordered
    let thumbnails = ThumbnailEffect().limited(to: 4, order: .lastInFirstOut)
    let visibleFirst = ThumbnailEffect().limited(to: 4, priority: { $0.isVisible ? 1 : 0 })
    let hidden = Thumbnail(name: "a", isVisible: false)
    #expect(thumbnails.requests(in: [hidden]) == visibleFirst.requests(in: [hidden]))
  }

  private func polled() {
    // PolledEffect
    let weather = HTTPEffect().polled(every: .seconds(60), backingOff: Backoff(first: .seconds(120)))
    store.connect(weather, to: \.downloads, action: AppAction.http, longRunning: true)
    let pages = HTTPEffect()
      .polled(every: { page in page.url.hasSuffix("/status") ? .seconds(5) : .seconds(300) })
    store.connect(pages, to: \.downloads, action: AppAction.http, longRunning: true)
  }

  private func composed() {
    // Policies
    let pages = HTTPEffect().mapped(AppAction.http)
      .timingOut(after: .seconds(5), failure: { _ in .timedOut })
      .guarded(by: breaker, counting: \.isTransient) { refusal, request in .refused(request, refusal) }
      .retried(
        times: 4, when: { retry, _ in retry.failure.isTransient },
        action: { retry, request in .retrying(request, attempt: retry.attempt) }
      )
      .limited(to: 4)
      .debounced(for: .milliseconds(300))
    store.connect(pages, to: \.downloads)
  }

  private func hedged() {
    // HedgedEffect
    let quotes = HTTPEffect().hedged(after: .milliseconds(50))
    store.connect(quotes, to: \.downloads, action: AppAction.http)
  }

  private func byRequest() {
    // HedgedEffect, by request
    let quotes = HTTPEffect().hedged(
      after: { _ in .milliseconds(50) }, atMost: { request in request.method == "GET" ? 1 : 0 })
    store.connect(quotes, to: \.downloads, action: AppAction.http)
    // RetriedEffect, by request
    let downloads = HTTPEffect().mapped(AppAction.http).retried(
      times: { request in request.method == "GET" ? 4 : 0 }, by: { _ in Backoff(first: .seconds(1)) },
      action: { retry, request in .retrying(request, attempt: retry.attempt) })
    store.connect(downloads, to: \.downloads)
  }

  private func fallback() {
    // FallbackEffect
    let pages = HTTPEffect().mapped(AppAction.http)
      .fallingBack(to: CachedPages(), when: { failure, _ in failure.isTransient })
    store.connect(pages, to: \.downloads)
  }

  private func guardedByHost() {
    // CircuitBreakers
    let breakers = CircuitBreakers { (host: String) in
      CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))
    }
    let pages = HTTPEffect().mapped(AppAction.http).guarded(
      by: breakers, per: { URL(string: $0.url)?.host() ?? "" },
      action: { refusal, request in .refused(request, refusal) })
    store.connect(pages, to: \.downloads)
  }

  private func polledWithJitter() {
    // PolledEffect, with jitter
    let accounts = HTTPEffect().polled(every: .seconds(60), mode: .fixedRate, jitter: 0.5)
    store.connect(accounts, to: \.downloads, action: AppAction.http, longRunning: true)
  }

  private func debounced() {
    // DebouncedEffect, by request
    let search = SearchEffect(client: client)
      .debounced(for: { query in .milliseconds(query.count < 3 ? 800 : 200) })
    store.connect(search, to: \.search, action: AppAction.search)
  }

  @Test("a breaker opens by the failures of the last while")
  func breakerByTime() {
    // CircuitBreaker, by time
    let breaker = CircuitBreaker(
      failureRate: 0.5, within: .seconds(60), minimum: 10, resetTimeout: .seconds(30),
      slowAfter: .seconds(2), trials: 3)
    #expect(breaker.state == .closed)
  }

  private func leading() {
    // IgnoringEffect
    store.connect(HTTPEffect().ignoringWhileRunning(), to: \.uploads, action: AppAction.upload)
    // IgnoringEffect, for each key
    let pages = HTTPEffect().ignoringWhileRunning(per: { $0.url })
    store.connect(pages, to: \.downloads, action: AppAction.http)
  }

  private func suggestions() {
    // DebouncedEffect, leading
    let suggestions = SearchEffect(client: client)
      .debounced(for: .milliseconds(300), leading: true, atMost: .seconds(2))
    store.connect(suggestions, to: \.search, action: AppAction.search)
  }

  private func shared(uploads: HTTPEffect, downloads: HTTPEffect) {
    // TokenBucket
    let quota = TokenBucket(capacity: 10, refilledEvery: .milliseconds(200))
    store.connect(uploads.rateLimited(by: quota), to: \.uploads, action: AppAction.upload)
    store.connect(downloads.rateLimited(by: quota), to: \.downloads, action: AppAction.http)
  }

  private func metered() {
    // RateLimitedEffect
    let quota = TokenBucket(capacity: 10, refilledEvery: .milliseconds(200))
    let uploads = HTTPEffect().rateLimited(by: quota, cost: { $0.url.count / 1024 + 1 })
    store.connect(uploads, to: \.uploads, action: AppAction.upload)
  }

  @Test("a breaker opens by rate")
  func breakerByRate() {
    // CircuitBreaker, by rate
    let breaker = CircuitBreaker(failureRate: 0.5, ofLast: 20, minimum: 10, resetTimeout: .seconds(30))
    #expect(breaker.state == .closed)
  }

  @Test("the state of a breaker comes into the store")
  func circuit() async throws {
    // CircuitBreaker
    let breaker = CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))
    let uploads = HTTPEffect().guarded(by: breaker, failure: { _, _ in .cannotConnect("not tried") })
    let downloads = HTTPEffect().guarded(by: breaker, failure: { _, _ in .cannotConnect("not tried") })
    store.connect(uploads, to: \.uploads, action: AppAction.upload)
    store.connect(downloads, to: \.downloads, action: AppAction.http)

    // CircuitBreaker, its states
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connect(when: { $0.isWatchingCircuit ? "circuit" : nil }, longRunning: true) { _, send in
      for await state in breaker.states { await send(.circuit(state)) }
    }
    try await eventually { store.state.circuit == .closed }
    _ = await store.shutdown()
  }

  @Test("a program's own policy waits for the network, and a request that leaves meanwhile never begins")
  func ownPolicy() async throws {
    let gate = Gate()
    let store = Store<Search.State, Search.Action>(
      initialState: Search.State(), on: .immediate, reduce: Search.reduce)
    store.connect(WhileOnline(base: SearchEffect(client: client), network: Network(gate: gate)))
    store.dispatch(.queryChanged("swif"))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.queryChanged("swift"))
    gate.open()
    await store.settled()
    #expect(store.state.results == ["swift.org"])
  }
}
