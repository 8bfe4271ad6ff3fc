import Millrace
import MillraceTesting
import Testing

/// Orders that are not promised, shuffled by a seed.
@Suite("Shuffled orders", .timeLimit(.minutes(10)))
struct ShuffledTests {
  /// The order in which the observer is told that the runs of one set were started is that of the set; the order in which
  /// senders hear of their actions can be seen from outside.
  private func order(seed: UInt64?) async -> [String] {
    let options = seed.map { StoreOptions().shuffled(seed: $0) } ?? StoreOptions()
    let store = Store(initialState: Board(), on: .immediate, options: options, reduce: Board.reduce)
    let shown = Recorder<String>()
    for name in 0..<8 {
      store.connect(
        ClosureComponent<Int> { _ in shown.append("\(name)") }, props: { $0.count + name }, named: "\(name)")
    }
    await store.settled()
    let before = shown.count
    await store.settled(after: .add(1))
    return Array(shown.values[before...])
  }

  @Test("every component is told whatever the order, and a seed changes the order") func seeds() async {
    let plain = await order(seed: nil)
    #expect(Set(plain) == Set((0..<8).map { "\($0)" }))
    var orders: Set<[String]> = []
    for seed in 1...6 {
      let shuffled = await order(seed: UInt64(seed))
      #expect(Set(shuffled) == Set(plain))
      orders.insert(shuffled)
    }
    #expect(orders.count > 1)
  }
}
