import Foundation
import Millrace
import MillraceEffects
import MillraceHTTP
import Testing

@Suite struct AttemptExamples {
  private typealias AppAction = PolicyExamples.AppAction

  private let store = Store(
    initialState: PolicyExamples.State(), on: .immediate, reduce: PolicyExamples.reduce)
  private let client = SearchClient()

  private struct CachedPages: EffectComponent {
    func requests(in pages: Set<HTTPRequest>) -> Set<HTTPRequest> { pages }
    func run(_ page: HTTPRequest, send: Send<AppAction>) async { await send(.gaveUp(page)) }
  }

  @Test("effects are hedged, have a fallback, and are guarded by key")
  func connected() async {
    hedged()
    byRequest()
    fallback()
    guarded()
    polled()
    debounced()
    #expect(store.activity.entries.count == 7)
    _ = await store.shutdown()
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

  private func guarded() {
    // CircuitBreakers
    let breakers = CircuitBreakers { (host: String) in
      CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))
    }
    let pages = HTTPEffect().mapped(AppAction.http).guarded(
      by: breakers, per: { URL(string: $0.url)?.host() ?? "" },
      action: { refusal, request in .refused(request, refusal) })
    store.connect(pages, to: \.downloads)
  }

  private func polled() {
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
  func breaker() {
    // CircuitBreaker, by time
    let breaker = CircuitBreaker(
      failureRate: 0.5, within: .seconds(60), minimum: 10, resetTimeout: .seconds(30),
      slowAfter: .seconds(2), trials: 3)
    #expect(breaker.state == .closed)
  }
}
