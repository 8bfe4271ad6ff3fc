import MillraceTesting
import TestSupport
import Testing

@testable import Millrace

@Suite("Stress: connecting and disconnecting")
struct ChurnStress {
  private struct Weak: Sendable { weak let component: RecordingComponent<Int>? }

  @Test("connections come and go while actions flow, and nothing of them stays", arguments: [true, false])
  func churn(isImmediate: Bool) async throws {
    let store = LedgerStore(isImmediate: isImmediate)
    let rounds = TestSize.count(60, full: 600)
    let components = Recorder<Weak>()
    let isDone = Lock(false)
    let bodies = Lock(0)
    await withTaskGroup { group in
      group.addTask {
        var value = 0
        while !isDone.withLock({ $0 }) {
          value += 1
          store.dispatch(.add(1))
          store.dispatch(.ask(Job(name: value % 3, value: value)))
          if value.isMultiple(of: 5) { store.dispatch(.drop(value % 3)) }
          if value.isMultiple(of: 4) { await store.send(.add(1)) }
          await Task.yield()
        }
      }
      group.addTask {
        await withTaskGroup { churners in
          for _ in 0..<3 {
            churners.addTask {
              for round in 0..<rounds {
                let component = RecordingComponent<Int>()
                components.append(Weak(component: component))
                let floor = store.state.count
                let connections = [
                  store.connect(component, to: \.count),
                  store.connect(
                    JobEffect { job, send in
                      bodies.withLock { $0 += 1 }
                      await send(.answered(job))
                      bodies.withLock { $0 -= 1 }
                    }, to: \.jobs),
                ]
                if round.isMultiple(of: 3) { await Task.yield() }
                for connection in connections { connection.disconnect() }
                let count = component.received.count
                for connection in connections { await connection.finished() }
                // One that was committed before may be seen to start.
                #expect(component.received.count <= count + 1)
                #expect(component.received.values.allSatisfy { $0 >= floor })
              }
            }
          }
        }
        isDone.withLock { $0 = true }
      }
    }
    await store.settled()
    #expect(bodies.withLock { $0 } == 0)
    #expect(store.state.stale == 0)
    #expect(store.activity.entries.isEmpty)
    #expect(
      store.engine.locked {
        store.engine.endings.unfinished.isEmpty && store.engine.root.childCount == 0
      })
    // The tasks that served them may still be returning.
    try await eventually { !components.values.contains(where: { $0.component != nil }) }
  }

  @Test("stores that are let go in the midst of everything leave nothing behind", arguments: [true, false])
  func stores(isImmediate: Bool) async throws {
    for _ in 0..<TestSize.count(50, full: 300) {
      weak var engine: Engine?
      let bodies = Recorder<Bool>()
      do {
        let store = LedgerStore(isImmediate: isImmediate)
        engine = store.engine
        store.connect(
          JobEffect { job, send in
            while await send(.answered(job)) == .reduced {}
            bodies.append(Task.isCancelled)
          }, to: \.jobs)
        store.connect(RecordingComponent<Int>(), to: \.answers)
        store.dispatch(.ask(Job(name: 0, value: 0)))
        await store.send(.add(1))
      }
      try await eventually { engine == nil }
    }
  }
}
