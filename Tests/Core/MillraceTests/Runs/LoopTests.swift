import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Effects that keep answering their own results, and those that only look so.
@Suite("Loops", .timeLimit(.minutes(10)))
struct LoopTests {
  private let reports = Recorder<StoreDiagnostic>()
  private let options: StoreOptions

  init() {
    options = StoreOptions(
      diagnostics: .mistakes { [reports] in reports.append($0) },
      loopDetection: LoopDetection(maxRuns: 5, minimumPause: .seconds(1_000_000)))
  }

  private func makeStore() -> BoardStore { BoardStore(on: .immediate, options: options) }

  @Test("an effect that keeps answering itself is reported once, with its cycle")
  func loop() async throws {
    let store = makeStore()
    store.connect(
      when: { $0.count < 20 ? $0.count : nil }, named: "Echo", run: { _, send in await send(.add(1)) })
    // A report is made by the thread of its turn, while others go on.
    try await inTime { [reports] in try await reports.values(atLeast: 1) }
    await store.settled()
    #expect(reports.values.map(\.kind) == [.loop])
    #expect(reports.values.allSatisfy { $0.message.contains("Echo(") && $0.message.contains("add(1)") })
    #expect(store.state.count == 20)
  }

  @Test("an effect whose failures make it ask again is reported, too")
  func failingLoop() async throws {
    struct Again: Error {}
    let store = Store<Int, Int>(initialState: 0, on: .immediate, options: options) { $0 += $1 }
    store.connect(
      when: { $0 < 20 ? $0 : nil }, failure: { (_: Again, _) in 1 }, named: "Echo",
      run: { _, _ throws(Again) in throw Again() })
    try await inTime { [reports] in try await reports.values(atLeast: 1) }
    await store.settled()
    #expect(store.state == 20)
    #expect(reports.values.map(\.kind) == [.loop])
  }

  @Test("a long chain with outside causes between is no loop")
  func outsideCauses() async {
    let store = makeStore()
    store.connect(when: { Optional($0.count) }, run: { _, _ in })
    for _ in 0..<50 {
      await store.settled(after: .add(1))
    }
    #expect(reports.count == 0)
  }

  @Test("what is dispatched from outside is no part of the chain of the run that sent before it")
  func sentBetween() async {
    let store = makeStore()
    store.connect(when: { Optional($0.count) }, run: { _, send in await send(.report("done")) })
    for _ in 0..<50 {
      await store.settled()
      store.dispatch(.add(1))
    }
    await store.settled()
    #expect(store.state.log.count == 51)
    #expect(reports.count == 0)
  }
}
