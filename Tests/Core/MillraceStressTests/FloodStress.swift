import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Stress: floods")
struct FloodStress {
  @Test(
    "four threads dispatch, send, read, wait and connect: each action counts once",
    arguments: [true, false])
  func mixed(isImmediate: Bool) async {
    let store = LedgerStore(isImmediate: isImmediate)
    let rounds = TestSize.count(300, full: 2_000)
    let component = RecordingComponent<Int>()
    store.connect(component, to: \.count)
    store.connect(JobEffect { job, send in await send(.done(job)) }, to: \.jobs)
    let sent = Fates()
    await withTaskGroup { group in
      for thread in 0..<2 {
        group.addTask {
          await onThreads(1) { _ in
            var last = 0
            for round in 0..<rounds {
              store.dispatch(.add(1))
              if round.isMultiple(of: 7) { store.dispatchAndWait(.add(1)) }
              if round.isMultiple(of: 11) { store.dispatch(.ask(Job(name: thread, value: round))) }
              let count = store.state.count
              #expect(count >= last)
              last = count
            }
          }
        }
        group.addTask {
          for round in 0..<rounds / 2 {
            sent.add(await store.send(.add(1)))
            if round.isMultiple(of: 50) { await store.settled() }
            if round.isMultiple(of: 97) { _ = store.activity.description }
          }
        }
      }
    }
    await store.settled()
    let sevenths = (rounds + 6) / 7
    let elevenths = (rounds + 10) / 11
    let expected = 2 * (rounds + sevenths) + 2 * (rounds / 2)
    #expect(store.state.count == expected)
    #expect(sent.count(.reduced) == 2 * (rounds / 2))
    #expect(store.state.stale == 0)
    #expect(store.state.jobs.isEmpty)
    #expect(store.activity.reduced == UInt64(expected + 2 * elevenths + store.state.answers))
    #expect(component.received.values.last == expected)
    #expect(zip(component.received.values, component.received.values.dropFirst()).allSatisfy(<))
  }

  @Test("shutting down in a flood: the accepted is reduced, the rest is refused", arguments: [true, false])
  func shutdown(isImmediate: Bool) async {
    for _ in 0..<TestSize.count(40, full: 200) {
      let store = LedgerStore(isImmediate: isImmediate)
      let accepted = Lock(0)
      let component = RecordingComponent<Int>()
      store.connect(component, to: \.count)
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            for _ in 0..<50 where store.dispatch(.add(1)) { accepted.withLock { $0 += 1 } }
          }
        }
        group.addTask {
          let report = await store.shutdown()
          #expect(report.isClean)
        }
      }
      await store.settled()
      #expect(store.state.count == accepted.withLock { $0 })
      #expect(store.activity.reduced + store.activity.refused == 100)
      #expect(store.activity.entries.isEmpty)
    }
  }
}
