import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceSystem
import Testing

@Suite struct RateExamples {
  private typealias AppAction = PolicyExamples.AppAction

  private let store = Store(
    initialState: PolicyExamples.State(), on: .immediate, reduce: PolicyExamples.reduce)
  private let client = SearchClient()

  @Test("effects take the leading request, or begin at a rate")
  func connected() async {
    leading()
    suggestions()
    shared(uploads: HTTPEffect(), downloads: HTTPEffect())
    metered()
    #expect(store.activity.entries.count == 6)
    _ = await store.shutdown()
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
  func breaker() {
    // CircuitBreaker, by rate
    let breaker = CircuitBreaker(failureRate: 0.5, ofLast: 20, minimum: 10, resetTimeout: .seconds(30))
    #expect(breaker.state == .closed)
  }
}
