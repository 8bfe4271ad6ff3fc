import Millrace
import Testing

/// A slice and an effect that use the store's own actions need no mapping.
@Suite struct OwnActionTests {
  private struct Parent: Equatable, Sendable {
    var inner = Inner()
  }

  private struct Inner: Equatable, Sendable {
    var wanted: Int?
    var total = 0
  }

  private struct Doubling: EffectComponent {
    func requests(in wanted: Int?) -> Set<Int> { Set([wanted].compactMap(\.self)) }
    func run(_ number: Int, send: Send<Int>) async { await send(number * 2) }
  }

  @Test("an effect and a scope of the store's own actions are connected without a mapping")
  func withoutMapping() async {
    let store = Store(initialState: Parent(inner: Inner(wanted: 21)), on: .immediate) {
      (state: inout Parent, number: Int) in state.inner = Inner(total: number)
    }
    let inner = store.scope(\.inner)
    inner.connect(Doubling(), to: \.wanted)
    await store.settled()
    #expect(inner.state == Inner(total: 42))
    #expect(await inner.send(1) == .reduced)
    #expect(store.state.inner.total == 1)
  }
}
