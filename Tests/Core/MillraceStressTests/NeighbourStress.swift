import Millrace
import TestSupport
import Testing

@Suite("Stress: a store that waits for another one")
struct NeighbourStress {
  @Test("runs wait for another store while actions of their own stop them")
  func waits() async throws {
    for round in 0..<TestSize.count(20, full: 100) {
      let (waiting, busy) = (LedgerStore(isImmediate: false), LedgerStore(isImmediate: false))
      busy.connect(
        JobEffect { job, send in
          for _ in 0..<20 { await send(.add(1)) }
          await send(.answered(job))
        }, to: \.jobs)
      waiting.connect(
        JobEffect { job, send in
          await busy.settled()
          await send(.answered(job))
        }, to: \.jobs)
      busy.dispatch(.ask(Job(name: 1, value: round)))
      for value in 0..<20 {
        waiting.dispatch(value.isMultiple(of: 3) ? .drop(1) : .ask(Job(name: 1, value: value)))
        await Task.yield()
      }
      await waiting.settled()
      await busy.settled()
      #expect(busy.state.count == 20)
    }
  }
}
