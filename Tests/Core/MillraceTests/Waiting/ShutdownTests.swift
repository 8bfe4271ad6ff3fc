import Dispatch
import Millrace
import MillraceTesting
import TestSupport
import Testing

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
    try await store.dispatch(.askOnly(["a"]), reaching: gate)
    let down = Task {
      await store.shutdown(graceful: .seconds(Int64.max), hard: .seconds(Int64.max))
    }
    gate.open()
    #expect(await down.value.isClean)
  }

  @Test(
    "R4: a failure that is thrown once the store is closed is not reduced, also not beneath a scope",
    arguments: Queue.allCases, [false, true])
  func thrownLate(queue: Queue, isInScope: Bool) async throws {
    let store = BoardStore(on: queue)
    let events = EventRecorder(of: store)
    (isInScope ? store.scope(\.self) : store).connect(
      JobEffect(throwing: Mishap.self) { [gate] _, _ throws(Mishap) in
        await gate.waitIgnoringCancellation()
        throw Mishap()
      })
    try await store.dispatch(.ask("a"), reaching: gate)
    // As while a shutdown ends connections, of which there may be many.
    store.closeMailbox()
    await store.settled(opening: gate)
    #expect(store.state.log.isEmpty)
    await store.shutdown()
    #expect(events.runs == ["started #1 a", "cancelled #1 a", "ended #1 a"])
  }

  @Test("a shutdown returns when stopped bodies have thrown, long-running or not", arguments: Queue.allCases)
  func thrownByLongRunning(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.connect(
      JobEffect(throwing: Mishap.self) { [gate] _, _ throws(Mishap) in
        await gate.waitIgnoringCancellation()
        throw Mishap()
      }, longRunning: true)
    try await store.dispatch(.ask("a"), reaching: gate)
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
    try await store.dispatch(.ask("job"), reaching: gate)
    let clock = TestClock()
    let down = Task { await store.shutdown(graceful: .zero, hard: .seconds(5), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    // It has been told that the run was stopped.
    try await eventually { "\(store.activity)".contains("stopping") && store.haveObserversHeardAll }
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
    try await store.isAwaited(beforeAnyOf: ended, opening: gate)
    await down.value
  }

  @Test("what has not returned by the hard deadline is named")
  func hard() async throws {
    let clock = TestClock()
    let store = BoardStore(on: .immediate)
    store.connect(stubborn, named: "Stubborn")
    store.connect(JobEffect { _, _ in }, named: "Prompt")
    try await store.dispatch(.ask("job"), reaching: gate)
    let down = Task { await store.shutdown(hard: .seconds(3), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    // The one has been stopped, the other has returned.
    try await eventually { store.activity.busy.flatMap(\.work).map(\.phase) == [.stopping] }
    clock.advance(by: .seconds(3))
    let report = await down.value
    #expect(!report.isClean)
    #expect(report.unfinished.map(\.connection.name) == ["Stubborn"])
    #expect(report.unfinished[0].work.map(\.phase) == [.stopping])
    #expect(report.description.contains("Stubborn"))
    await store.settled(opening: gate)
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

  @Test("L3: a task that has outlived its run is told of another run of the same connection")
  func hardFromOutliving() async throws {
    let store = BoardStore(on: .immediate)
    let goesOn = Gate()
    let reports = Recorder<ShutdownReport>()
    store.connect(
      JobEffect { [gate, weak store] job, _ in
        if job == "stubborn" { return await gate.waitIgnoringCancellation() }
        Task {
          await goesOn.waitIgnoringCancellation()
          guard let store else { return }
          reports.append(await store.shutdown(hard: .seconds(3), clock: ImmediateClock()))
        }
      })
    store.dispatch(.askOnly(["outlived", "stubborn"]))
    try await gate.waiters(atLeast: 1)
    try await eventually { store.activity.entries.flatMap(\.work).contains { $0.phase == .finished } }
    goesOn.open()
    let report = try await reports.values(atLeast: 1)[0]
    #expect(report.unfinished.map(\.connection.name) == ["JobEffect"])
    gate.open()
  }

  @Test("R4: what a stopped body sends in the graceful time of a second shutdown is refused")
  func second() async throws {
    let store = BoardStore(on: .immediate)
    let fates = Recorder<Delivery>()
    store.connect(
      JobEffect { [gate] _, send in
        await gate.waitIgnoringCancellation()
        fates.append(await send(.add(1)))
      })
    try await store.dispatch(.ask("job"), reaching: gate)
    #expect(await !store.shutdown(hard: .seconds(1), clock: ImmediateClock()).isClean)
    let clock = TestClock()
    async let down = store.shutdown(graceful: .seconds(1), clock: clock)
    try await clock.sleepers(atLeast: 1)
    gate.open()
    #expect(await down.isClean)
    #expect(fates.values == [.refused])
  }

  @Test("L3: the shutdown of a scope names no ended connection of the store around it")
  func hardBesideScope() async throws {
    let store = BoardStore(on: .immediate)
    let connection = store.connect(stubborn)
    try await store.dispatch(.ask("job"), reaching: gate)
    connection.disconnect()
    let scope = store.scope(\.self)
    #expect(scope.activity.entries.isEmpty)
    #expect(await scope.shutdown().isClean)
    #expect(store.activity.entries.count == 1)
    gate.open()
    await connection.finished()
  }

  @Test("nothing new starts while a store shuts down, and what is connected then is not")
  func nothingNew() async throws {
    let (store, hold) = BoardStore.held()
    store.connect(stubborn)
    try await store.stays(at: hold)
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

  @Test("nothing that is connected in the graceful time gets anything")
  func connectedInTheGracefulTime() async throws {
    let store = BoardStore(on: .serial)
    store.connect(stubborn)
    try await store.dispatch(.ask("job"), reaching: gate)
    let clock = TestClock()
    let closing = Task { await store.shutdown(graceful: .seconds(1), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    let component = RecordingComponent<Int>()
    store.connect(component, to: \.count)
    gate.open()
    _ = await closing.value
    #expect(component.received.values.isEmpty)
  }

  @Test("every one of very many connections ends")
  func veryMany() async {
    let store = BoardStore(on: .serial)
    for _ in 0..<1_100 { store.connect(when: { $0.count < 0 ? 0 : nil }, run: { (_: Int, _) in }) }
    #expect(await store.shutdown().isClean)
    #expect(store.activity.entries.isEmpty)
  }
}
