import Dispatch
import MillraceTesting
import TestSupport
import Testing

@testable import Millrace

/// What a shutdown ends, in which order, and what it tells.
@Suite("Shutting down", .timeLimit(.minutes(10)))
struct ShutdownTests {
  private let gate = Gate()
  private let began = Recorder<String>()
  private let ended = Recorder<String>()

  private var stubborn: JobEffect<Never> { .stubborn(until: gate, began, ended) }

  @Test("limits beyond what a clock can count are none")
  func limitless() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(stubborn)
    store.dispatch(.askOnly(["a"]))
    try await gate.waiters(atLeast: 1)
    let down = Task {
      await store.shutdown(graceful: .seconds(Int64.max), hard: .seconds(Int64.max))
    }
    gate.open()
    #expect(await down.value.isClean)
  }

  @Test("shutdown stops runs and returns when all have returned", arguments: Queue.allCases)
  func shutdown(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.connect(stubborn)
    store.dispatch(.askOnly(["a", "b"]))
    try await gate.waiters(atLeast: 2)
    let opening = Task { gate.open() }
    let report = await store.shutdown()
    #expect(report.isClean)
    #expect(Set(ended.values).count == 2)
    await opening.value
    #expect(store.activity.entries.isEmpty)
  }

  @Test(
    "R4: a failure that is thrown once the store is closed is not reduced, also not beneath a scope",
    arguments: Queue.allCases, [false, true])
  func thrownLate(queue: Queue, isInScope: Bool) async throws {
    let store = BoardStore(on: queue)
    let events = EventRecorder()
    store.observe(events)
    (isInScope ? store.scope(\.self) : store).connect(
      JobEffect(throwing: Mishap.self) { [gate] _, _ throws(Mishap) in
        await gate.waitIgnoringCancellation()
        throw Mishap()
      })
    store.dispatch(.ask("a"))
    try await gate.waiters(atLeast: 1)
    // As while a shutdown ends connections, of which there may be many.
    store.engine.mail.withLock { _ in store.engine.account.phase = .closed }
    gate.open()
    await store.settled()
    #expect(store.state.log.isEmpty)
    await store.shutdown()
    #expect(events.runs == ["started #1 a", "cancelled #1 a", "ended #1 a"])
  }

  @Test(
    "a shutdown returns when bodies that it has stopped have thrown, long-running ones, too",
    arguments: Queue.allCases)
  func thrownByLongRunning(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.connect(
      JobEffect(throwing: Mishap.self) { [gate] _, _ throws(Mishap) in
        await gate.waitIgnoringCancellation()
        throw Mishap()
      }, longRunning: true)
    store.dispatch(.ask("a"))
    try await gate.waiters(atLeast: 1)
    let down = Task { await store.shutdown() }
    try await eventually { "\(store.activity)".contains("stopping") }
    gate.open()
    try await inTime { #expect(await down.value.isClean) }
    #expect(store.state.log.isEmpty)
  }

  @Test("runs go on until the graceful deadline, and are stopped then")
  func graceful() async throws {
    let clock = TestClock()
    let store = BoardStore(on: .immediate)
    store.connect(
      JobEffect { [ended, began] job, _ in
        began.append("\(job)")
        do {
          try await clock.sleep(for: job == "short" ? .seconds(5) : .seconds(50))
          ended.append("\(job) done")
        } catch {
          ended.append("\(job) stopped")
        }
      })
    store.dispatch(.askOnly(["short", "long"]))
    try await clock.sleepers(atLeast: 2)
    let down = Task { await store.shutdown(graceful: .seconds(10), clock: clock) }
    try await clock.sleepers(atLeast: 3)
    clock.advance(by: .seconds(5))
    #expect(try await ended.values(atLeast: 1) == ["short done"])
    clock.advance(by: .seconds(5))
    #expect(await down.value.isClean)
    #expect(ended.values == ["short done", "long stopped"])
  }

  /// Takes its time for the end of a component.
  private final class SlowLog: StoreObserver {
    let gate: Gate
    init(_ gate: Gate) { self.gate = gate }
    func observe(_ event: StoreEvent) {
      guard case .disconnected(let connection) = event.kind, connection.name == "shown" else { return }
      let opened = Signal()
      Task { [gate] in
        await gate.waitIgnoringCancellation()
        opened.give()
      }
      opened.wait()  // on the observer's own queue
    }
  }

  @Test("a report names work that has not returned, and no observer of its end")
  func observed() async throws {
    let store = BoardStore(on: .immediate)
    let reported = Gate()
    let shown = RecordingComponent<Board>()
    store.connect(shown, named: "shown")
    await store.settled()
    store.observe(SlowLog(reported))
    store.connect(stubborn)
    store.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 1)
    let clock = TestClock()
    let down = Task { await store.shutdown(graceful: .zero, hard: .seconds(5), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    // It has been told that the run was stopped.
    let engine = store.engine
    try await eventually { engine.locked { engine.observers.all.allSatisfy { $0.ownWork == 0 } } }
    clock.advance(by: .seconds(5))
    let report = await down.value
    #expect(report.unfinished.map(\.connection.name) == ["JobEffect"])
    reported.open()
    gate.open()
    #expect(await store.shutdown().isClean)
  }

  @Test("L3: a shutdown returns when observers have been told of every end", arguments: Queue.allCases)
  func reported(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.observe(SlowLog(gate))
    store.connect(RecordingComponent<Board>(), named: "shown")
    await store.settled()
    let down = Task {
      await store.shutdown()
      ended.append("down")
    }
    try await gate.waiters(atLeast: 1)
    try await store.isAwaited { ended.count > 0 }
    #expect(ended.values == [])
    gate.open()
    await down.value
  }

  @Test("a graceful shutdown ends early when everything is done")
  func gracefulEarly() async throws {
    let clock = TestClock()
    let store = BoardStore(on: .immediate)
    store.connect(stubborn)
    store.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 1)
    let down = Task { await store.shutdown(graceful: .seconds(10), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    gate.open()
    #expect(await down.value.isClean)
    #expect(ended.values == ["job, cancelled: false"])
    #expect(clock.now == .start)
  }

  @Test("what has not returned by the hard deadline is named")
  func hard() async throws {
    let clock = TestClock()
    let store = BoardStore(on: .immediate)
    store.connect(stubborn, named: "Stubborn")
    store.connect(JobEffect { _, _ in }, named: "Prompt")
    store.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 1)
    let down = Task { await store.shutdown(hard: .seconds(3), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    let report = await down.value
    #expect(!report.isClean)
    #expect(report.unfinished.map(\.connection.name) == ["Stubborn"])
    #expect(report.unfinished[0].work.map(\.phase) == [.stopping])
    #expect(report.description.contains("Stubborn"))
    gate.open()
    await store.settled()
    #expect(store.activity.entries.isEmpty)
  }

  @Test("a body that shuts its store down is told what has not returned but itself")
  func hardFromWithin() async throws {
    let store = BoardStore(on: .immediate)
    let reports = Recorder<ShutdownReport>()
    store.connect(stubborn, named: "Stubborn")
    store.connect(
      JobEffect { [gate, weak store] _, _ in
        try? await gate.waiters(atLeast: 1)
        if let report = await store?.shutdown(hard: .seconds(3), clock: ImmediateClock()) {
          reports.append(report)
        }
      }, named: "Caller")
    store.dispatch(.ask("job"))
    let report = try await reports.values(atLeast: 1)[0]
    #expect(report.unfinished.map(\.connection.name) == ["Stubborn"])
    gate.open()
  }

  @Test(
    "components get their last props before a shutdown returns, observers hear of all, and both are ended",
    arguments: Queue.allCases)
  func lastProps(queue: Queue) async {
    let store = BoardStore(on: queue)
    let observer = EventRecorder()
    store.observe(observer)
    let component = RecordingComponent<Int>()
    store.connect(component, to: \.count)
    let observed = Recorder<Int>()
    store.onAction { _, board in observed.append(board.count) }
    for _ in 0..<100 { store.dispatch(.add(1)) }
    let report = await store.shutdown()
    #expect(report.isClean)
    #expect(component.received.values.last == 100)
    #expect(observed.values == Array(1...100))
    #expect(observer.lines.filter { $0.contains("did reduce") }.count == 100)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("nothing new starts while a store shuts down, and what is connected then is not")
  func nothingNew() async throws {
    let hold = Hold()
    let store = BoardStore(heldBy: hold)
    store.connect(stubborn)
    store.dispatch(.report("hold"))
    try await hold.isHeld()
    store.dispatch(.ask("job"))
    gate.open()
    let closing = Task { await store.shutdown() }
    hold.letGo()
    _ = await closing.value
    #expect(began.count == ended.count)
    let component = RecordingComponent<Int>()
    let connection = store.connect(component, to: \.count)
    store.connect(stubborn)
    await connection.finished()
    await store.settled()
    #expect(component.received.count == 0)
    #expect(store.activity.entries.isEmpty)
  }
}
