import MillraceTesting
import TestSupport
import Testing

@testable import Millrace

/// What `settled()` waits for.
@Suite("Settling", .timeLimit(.minutes(10)))
struct SettledTests {
  private let gate = Gate()
  private let began = Recorder<String>()
  private let ended = Recorder<String>()

  private var stubborn: JobEffect<Never> { .stubborn(until: gate, began, ended) }

  @Test(
    "settled() waits for runs, stopped bodies and updates, and not for what is in the background",
    arguments: Queue.allCases)
  func settled(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let never = Gate()
    store.connect(when: { Optional($0.count) }, background: true, run: { _, _ in try? await never.wait() })
    let component = RecordingComponent<Int>(holdingAt: gate)
    store.connect(component, to: \.count)
    store.connect(stubborn)
    store.dispatch(.askOnly(["stopped", "kept"]))
    try await gate.waiters(atLeast: 3)
    store.dispatch(.drop("stopped"))
    let opening = Task { gate.open() }
    await store.settled()
    #expect(ended.count == 2)
    #expect(component.finished.count == 1)
    await opening.value
  }

  @Test("settled() waits for a body of the background once it is stopped")
  func settledBackground() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(stubborn, background: true)
    store.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 1)
    await store.settled()
    #expect(ended.count == 0)
    store.dispatch(.drop("job"))
    let opening = Task { gate.open() }
    await store.settled()
    #expect(ended.values == ["job, cancelled: true"])
    await opening.value
  }

  @Test("settled(), finished() and shutdown() inside a run or an update do not wait for it")
  func insideWork() async throws {
    final class Waiting: Component {
      let body: @Sendable () async -> Void
      init(_ body: @escaping @Sendable () async -> Void) { self.body = body }
      func update(_ count: Int) async { await body() }
    }
    let store = BoardStore(on: .serial)
    let ended = ended
    store.connect(
      JobEffect { [weak store] _, _ in
        await store?.settled()
        ended.append("run settled")
      })
    store.dispatch(.ask("job"))
    await store.settled()
    let component = Waiting { [weak store] in
      await store?.settled()
      ended.append("update settled")
    }
    let connection = store.connect(component, to: \.count)
    await store.settled()
    connection.disconnect()
    await connection.finished()
    #expect(ended.values == ["run settled", "update settled"])
    store.connect(
      when: { $0.count == 1 ? 1 : nil },
      run: { [weak store] _, _ in
        if let report = await store?.shutdown() { ended.append("shut down: \(report)") }
      })
    store.dispatch(.add(1))
    try await ended.values(count: 3)
    #expect(ended.values.last == "shut down: clean")
  }

  @Test("settled() inside several runs: they wait for the one that does not call it, not for each other")
  func insideSeveral() async throws {
    let store = BoardStore(on: .serial)
    let (ended, gate, begun) = (ended, Gate(), Recorder<Void>())
    store.connect(
      JobEffect { [weak store] job, _ in
        if job.name == "busy" {
          await gate.waitIgnoringCancellation()
        } else {
          begun.append(())
          await store?.settled()
        }
        ended.append(job.name)
      })
    for job in ["first", "second", "busy"] as [Job] { store.dispatch(.ask(job)) }
    try await begun.values(count: 2)
    try await gate.waiters(atLeast: 1)
    #expect(ended.count == 0)
    let settling = Task { await store.settled() }
    gate.open()
    await settling.value
    #expect(Set(ended.values) == ["first", "second", "busy"])
    #expect(ended.values.first == "busy")
  }

  @Test(
    "updates that wait for each other's connections in a ring wait for what is not of the ring, not for each other",
    arguments: [2, 3, 4], [false, true])
  func ring(length: Int, isSettling: Bool) async throws {
    let store = BoardStore(on: .serial)
    let (ended, gate, connections) = (ended, Gate(), Recorder<Connection>())
    connections.append(store.connect(RecordingComponent<Int>(holdingAt: gate), to: \.jobs.count))
    for index in 1...length {
      let member = ClosureComponent<Int> { [weak store] _ in
        guard let connections = try? await connections.values(count: length + 1) else { return }
        if isSettling, index == 1 {
          await store?.settled()
        } else {
          connections[0].disconnect()
          await connections[0].finished()
          let next = connections[index % length + 1]
          next.disconnect()
          // One after the other, so that the last one closes the ring.
          while let store, store.engine.locked({ store.engine.waiters.count }) < index - 1 {
            await Task.yield()
          }
          await next.finished()
        }
        ended.append("\(index)")
      }
      connections.append(store.connect(member, to: \.jobs.count))
    }
    try await gate.waiters(atLeast: 1)
    try await eventually { store.engine.locked({ store.engine.waiters.count }) >= length }
    #expect(ended.count == 0)
    gate.open()
    try await ended.values(count: length)
    await store.settled()
  }

  @Test("settled() returns early when its task is cancelled")
  func cancelled() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(stubborn)
    store.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 1)
    let waiting = Task { await store.settled() }
    waiting.cancel()
    await waiting.value
    #expect(ended.count == 0)
    #expect(store.engine.locked { store.engine.waiters.isEmpty })
    gate.open()
    await store.settled()
  }
}
