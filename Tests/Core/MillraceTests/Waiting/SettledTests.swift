import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What `settled()` waits for.
@Suite("Settling", .timeLimit(.minutes(10)))
struct SettledTests {
  private let gate = Gate()
  private let began = Recorder<String>()
  private let ended = Recorder<String>()

  private var stubborn: JobEffect<Never> { .stubborn(until: gate, began, ended) }

  @Test("settled() waits for runs, stopped bodies and updates, none long-running", arguments: Queue.allCases)
  func settled(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let never = Gate()
    store.connect(when: { Optional($0.count) }, longRunning: true, run: { _, _ in try? await never.wait() })
    let component = RecordingComponent<Int>(holdingAt: gate)
    store.connect(component, to: \.count)
    store.connect(stubborn)
    try await store.dispatch(.askOnly(["stopped", "kept"]), reaching: gate, by: 3)
    store.dispatch(.drop("stopped"))
    let opening = Task { gate.open() }
    await store.settled()
    #expect(ended.count == 2)
    #expect(component.finished.count == 1)
    await opening.value
  }

  @Test("settled() waits for a long-running body once it is stopped")
  func settledLongRunning() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(stubborn, longRunning: true)
    try await store.dispatch(.ask("job"), reaching: gate)
    await store.settled()
    #expect(ended.count == 0)
    store.dispatch(.drop("job"))
    let opening = Task { gate.open() }
    await store.settled()
    #expect(ended.values == ["job, cancelled: true"])
    await opening.value
  }

  @Test("settled() inside two runs: each waits for the other, until one is stopped")
  func insideTwo() async throws {
    let store = BoardStore(on: .serial)
    let ended = ended
    store.connect(
      JobEffect { [weak store] job, _ in
        await store?.settled()
        ended.append("\(job.name), stopped: \(Task.isCancelled)")
      })
    store.dispatch(.askOnly(["first", "second"]))
    try await store.isAwaited(by: 2)
    #expect(ended.count == 0)
    store.dispatch(.drop("first"))
    #expect(try await ended.values(atLeast: 2) == ["first, stopped: true", "second, stopped: false"])
  }

  @Test("finished() inside an update waits for the updates of another connection, and not for itself")
  func insideUpdate() async throws {
    let store = BoardStore(on: .serial)
    let (ended, held) = (ended, RecordingComponent<Int>(holdingAt: gate))
    let other = store.connect(held, to: \.jobs.count)
    try await gate.waiters(atLeast: 1)
    let own = Recorder<Connection>()
    let component = ClosureComponent<Int> { _ in
      guard let own = try? await own.values(atLeast: 1)[0] else { return }
      for connection in [other, own] {
        connection.disconnect()
        await connection.finished()
      }
      ended.append("both")
    }
    own.append(store.connect(component, to: \.jobs.count))
    try await store.isAwaited()
    #expect(ended.count == 0)
    gate.open()
    try await ended.values(atLeast: 1)
    #expect(held.finished.count == 1)
    await store.settled()
  }

  @Test(
    "settled() inside a long-running run or update waits for every other, and not for itself",
    arguments: Queue.allCases, [false, true])
  func insideLongRunning(queue: Queue, isUpdate: Bool) async throws {
    let (gate, order) = (Gate(), Recorder<String>())
    let store = BoardStore(on: queue)
    let settle = { @Sendable [weak store] in
      await store?.settled()
      order.append("settled")
    }
    store.connect(
      JobEffect { job, _ in
        await gate.waitIgnoringCancellation()
        order.append("ended")
      })
    try await store.dispatch(.ask("job"), reaching: gate)
    if isUpdate {
      store.connect(ClosureComponent<Int> { _ in await settle() }, to: \.count, longRunning: true)
    } else {
      store.connect(JobEffect { _, _ in await settle() }, longRunning: true)
    }
    try await store.isAwaited(beforeAnyOf: order, opening: gate)
    #expect(try await order.values(atLeast: 2) == ["ended", "settled"])
  }

  @Test("settled() waits for the props of the action that a failure becomes", arguments: Queue.allCases)
  func failure(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let component = RecordingComponent<Int>()
    store.connect(component, to: \.log.count)
    store.connect(
      JobEffect(throwing: Mishap.self) { [gate] _, _ throws(Mishap) in
        await gate.waitIgnoringCancellation()
        throw Mishap()
      })
    try await store.dispatch(.ask("job"), reaching: gate)
    try await component.finished.values(atLeast: 1)
    let props = Task {
      await store.settled()
      return component.finished.values
    }
    try await store.isAwaited()
    gate.open()
    #expect(await props.value == [0, 1])
  }

  @Test("settled() returns early when its task is cancelled")
  func cancelled() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(stubborn)
    try await store.dispatch(.ask("job"), reaching: gate)
    let waiting = Task { await store.settled() }
    waiting.cancel()
    await waiting.value
    #expect(ended.count == 0)
    #expect(store.waiterCount == 0)
    await store.settled(opening: gate)
  }

  @Test("settled() in a task left behind by a run waits for a run that goes on", arguments: Queue.allCases)
  func leftBehind(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let (left, over) = (Gate(), Recorder<Bool>())
    store.connect(
      JobEffect { [weak store, gate] job, _ in
        if job == "going on" { return await gate.waitIgnoringCancellation() }
        Task { [weak store] in
          await left.waitIgnoringCancellation()
          await store?.settled()
          over.append(true)
        }
      })
    try await store.dispatch(.askOnly(["going on", "leaving"]), reaching: gate)
    try await eventually {
      store.activity.entries.contains { $0.work.contains { $0.phase == .finished } }
    }
    left.open()
    try await store.isAwaited(unless: { over.count > 0 })
    #expect(over.count == 0)
    gate.open()
    try await over.values(atLeast: 1)
  }

  @Test("L3: settled() in an update waits for another update, not for itself", arguments: Queue.allCases)
  func anotherUpdate(queue: Queue) async throws {
    // The report of a long wait looks at all waits again: here it never comes.
    var options = StoreOptions()
    options.seams.clock = TestClock()
    let store = BoardStore(on: queue, options: options)
    let (entered, over) = (Recorder<Bool>(), Recorder<Bool>())
    let other = ClosureComponent<Int> { [gate] _ in
      entered.append(true)
      await gate.waitIgnoringCancellation()
    }
    let waiting = ClosureComponent<Int> { [weak store] _ in
      _ = try? await entered.values(atLeast: 1)
      await store?.settled()
      over.append(true)
    }
    store.connect(other, to: \.count)
    store.connect(waiting, to: \.count)
    try await entered.values(atLeast: 1)
    try await store.isAwaited(unless: { over.count > 0 })
    #expect(over.count == 0)
    gate.open()
    try await inTime { try await over.values(atLeast: 1) }
  }

  @Test("a task that an update has left behind waits for a later update of its component")
  func laterUpdate() async throws {
    let (go, second) = (Gate(), Gate())
    let order = Recorder<String>()
    let store = BoardStore(on: .serial)
    store.connect(
      ClosureComponent<Int> { [weak store] count in
        if count == 1 {
          Task {
            await go.waitIgnoringCancellation()
            await store?.settled()
            order.append("settled")
          }
        } else if count == 2 {
          await second.waitIgnoringCancellation()
          order.append("updated")
        }
      }, to: \.count)
    await store.send(.add(1))
    await store.settled()
    await store.send(.add(1))
    try await second.waiters(atLeast: 1)
    go.open()
    try await store.isAwaited(beforeAnyOf: order, opening: second)
    #expect(try await order.values(atLeast: 2) == ["updated", "settled"])
  }
}
