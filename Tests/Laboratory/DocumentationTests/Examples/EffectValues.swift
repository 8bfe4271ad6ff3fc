import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@Suite struct EffectValueExamples {
  private struct NotFound: Error {}

  private let store = Store(initialState: App(), on: .immediate, reduce: reduceWholeApp)
  private let client = SearchClient()

  @Test("an effect made of closures has a policy around it")
  func debounced() async throws {
    let clock = TestClock()
    connect(clock)
    store.dispatch(.search(.queryChanged("swi")))
    store.dispatch(.search(.queryChanged("swift")))
    try await clock.sleepers(atLeast: 1)
    try await eventually { clock.sleepers.count == 1 }
    #expect(store.state.search.results == [])
    clock.advance(by: .milliseconds(300))
    await store.settled()
    #expect(store.state.search.results == ["swift.org"])
  }

  /// Connects the effect with a debounce that a test clock measures.
  private func connect(_ clock: TestClock) {
    let search = Effect { [client] (query: String, send: Send<Search.Action>) in
      await send(.arrived(client.results(for: query)))
    }
    store.connect(
      search.debounced(for: .milliseconds(300), clock: clock), when: \.search.pending,
      action: AppAction.search)
  }

  @Test("an effect made of closures is connected as it is shown")
  func shown() async {
    // Effect
    let search = Effect { [client] (query: String, send: Send<Search.Action>) in
      await send(.arrived(client.results(for: query)))
    }
    store.connect(
      search.debounced(for: .milliseconds(300)), when: \.search.pending, action: AppAction.search)
    #expect(store.activity.entries.count == 1)
    _ = await store.shutdown()
  }

  @Test("an effect made of closures says what its failure becomes")
  func failing() async {
    @Sendable func lookUp(_ query: String) async throws(NotFound) -> [String] { throw NotFound() }
    // Effect, with a failure
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    let search = Effect(failure: { (_: NotFound, query) in .arrived(["\(query) was not found"]) }) {
      (query: String, send: Send<Search.Action>) async throws(NotFound) in
      await send(.arrived(try await lookUp(query)))
    }
    let retried = search.retried(times: 1, by: Backoff(first: .zero), action: { _, _ in .gaveUp("once") })
    store.connect(retried, when: { $0.search.pending }, action: AppAction.search)
    store.dispatch(.search(.queryChanged("swift")))
    await store.settled()
    #expect(store.state.search.results == ["swift was not found"])
  }
}
