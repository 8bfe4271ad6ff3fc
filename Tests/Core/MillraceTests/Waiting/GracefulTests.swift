import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("The time that a shutdown gives", .timeLimit(.minutes(10)))
struct GracefulTests {
  /// Shuts a store down, and opens the gate once its graceful time has begun, after `meanwhile`.
  private func shutDown(
    _ store: BoardStore, by clock: TestClock, opening gate: Gate, meanwhile: () async -> Void = {}
  ) async throws {
    let down = Task { await store.shutdown(graceful: .seconds(10), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    await meanwhile()
    gate.open()
    #expect(await down.value.isClean)
  }

  @Test("R4: a shutdown without time returns after what was accepted is reduced")
  func accepted() async throws {
    let (store, hold) = BoardStore.held()
    try await store.stays(at: hold)
    for _ in 0..<1_000 { store.dispatch(.add(1)) }
    let down = Task { await store.shutdown(hard: .zero) }
    await onThread { hold.letGo() }
    #expect(await down.value.isClean)
    #expect(store.state.count == 1_000)
  }

  @Test("L3: in the graceful time live runs deliver, and none begins", arguments: Queue.allCases)
  func graceful(queue: Queue) async throws {
    let (clock, gate) = (TestClock(), Gate())
    let store = BoardStore(on: queue)
    let (began, fates) = (Recorder<Job>(), Recorder<Delivery>())
    store.connect(
      JobEffect { job, send in
        began.append(job)
        await gate.waitIgnoringCancellation()
        fates.append(await send(.report("\(job) delivered")))
        fates.append(await send(.ask("another")))
      })
    let component = RecordingComponent<Int>()
    store.connect(component, to: \.log.count)
    try await store.dispatch(.ask("job"), reaching: gate)
    try await shutDown(store, by: clock, opening: gate) {
      #expect(await store.send(.report("from outside")) == .refused)
    }
    #expect(fates.values == [.reduced, .reduced])
    #expect(store.state.log == ["job delivered"])
    #expect(store.state.jobs == ["job", "another"])
    #expect(began.values == ["job"])
    #expect(component.received.values.last == 1)
    #expect(clock.now == .start)
  }

  @Test("L3: in the graceful time of a scope its live runs alone deliver", arguments: Queue.allCases)
  func scope(queue: Queue) async throws {
    let (clock, gate) = (TestClock(), Gate())
    let store = BoardStore(on: queue)
    let fates = Recorder<Delivery>()
    let scope = store.scope(\.jobs)
    scope.connect(
      when: { $0 },
      run: { job, send in
        await gate.waitIgnoringCancellation()
        fates.append(await send(.report("\(job) delivered")))
      })
    try await store.dispatch(.ask("job"), reaching: gate)
    let down = Task { await scope.shutdown(graceful: .seconds(10), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    #expect(await scope.send(.report("through the scope")) == .refused)
    #expect(await store.send(.report("through the store")) == .reduced)
    gate.open()
    #expect(await down.value.isClean)
    #expect(fates.values == [.reduced])
    #expect(store.state.log == ["through the store", "job delivered"])
  }

  @Test("L3: what a run sends after the graceful deadline is fenced", arguments: Queue.allCases)
  func deadline(queue: Queue) async throws {
    let (clock, gate) = (TestClock(), Gate())
    let store = BoardStore(on: queue)
    let fates = Recorder<Delivery>()
    store.connect(
      JobEffect { job, send in
        await gate.waitIgnoringCancellation()
        fates.append(await send(.report("late")))
      })
    try await store.dispatch(.ask("job"), reaching: gate)
    let down = Task { await store.shutdown(graceful: .seconds(10), hard: .seconds(10), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    // The hard deadline is waited for: the graceful one has passed.
    try await clock.sleepers(atLeast: 1)
    gate.open()
    #expect(await down.value.isClean)
    #expect(fates.values.map { $0 == .reduced } == [false])
    #expect(store.state.log == [])
  }

  @Test("L3: a run that waits for another does not begin while shutting down", arguments: Queue.allCases)
  func successor(queue: Queue) async throws {
    let (clock, gate, began) = (TestClock(), Gate(), Recorder<Job>())
    let store = BoardStore(on: queue)
    store.connect(
      NamedJobEffect { job, _ in
        began.append(job)
        await gate.waitIgnoringCancellation()
      })
    try await store.dispatch(.ask(Job("job", 1)), reaching: gate)
    await store.send(.ask(Job("job", 2)))
    try await shutDown(store, by: clock, opening: gate)
    #expect(began.values == [Job("job", 1)])
    #expect(clock.now == .start)
  }

  @Test("R4: what a run had sent before a shutdown without time is reduced")
  func acceptedOfRun() async throws {
    let (entered, continues, gate, fates) = (Signal(), Signal(), Gate(), Recorder<Delivery>())
    let store = BoardStore(initialState: Board(), on: Hold.queue) { board, action in
      guard action == .report("hold") else { return Board.reduce(&board, action) }
      entered.give()
      continues.wait()
    }
    store.connect(
      JobEffect { _, send in
        await gate.waitIgnoringCancellation()
        fates.append(await send(.report("sent")))
      })
    try await store.dispatch(.ask("job"), reaching: gate)
    store.dispatch(.report("hold"))
    await onThread { _ = entered.wait() }
    for _ in 2...20 { store.dispatch(.report("hold")) }
    gate.open()
    try await store.mailboxHolds(20)
    let down = Task { await store.shutdown() }
    // The shutdown takes its steps between the turns in which the reducer is held.
    await onThread {
      for number in 1...20 {
        for _ in 0..<300 { sched_yield() }
        continues.give()
        if number < 20 { entered.wait() }
      }
    }
    #expect(await down.value.isClean)
    #expect(fates.values == [.reduced])
    #expect(store.state.log == ["sent"])
  }

  @Test("L3: a finished identity is not run anew while shutting down", arguments: Queue.allCases)
  func changedAfterItsEnd(queue: Queue) async throws {
    let (clock, gate, began) = (TestClock(), Gate(), Recorder<Job>())
    let store = BoardStore(on: queue)
    store.connect(
      NamedJobEffect { job, send in
        began.append(job)
        guard job.name == "long" else { return }
        await gate.waitIgnoringCancellation()
        await send(.ask(Job("short", 2)))
      })
    try await store.dispatch(.askOnly(["long", Job("short", 1)]), reaching: gate)
    try await eventually {
      store.activity.entries.contains { $0.work.contains { $0.phase == .finished } }
    }
    try await shutDown(store, by: clock, opening: gate)
    #expect(store.state.jobs == ["long", Job("short", 2)])
    #expect(Set(began.values) == ["long", Job("short", 1)])
  }

  @Test("L3: the hard deadline passes once, whatever it is waited for", arguments: Queue.allCases)
  func oneDeadline(queue: Queue) async throws {
    let (clock, runs, updates) = (TestClock(), Gate(), Gate())
    let store = BoardStore(on: queue)
    store.connect(JobEffect { _, _ in await runs.waitIgnoringCancellation() })
    let component = ClosureComponent<Int> { _ in await updates.waitIgnoringCancellation() }
    store.connect(component, to: \.count, longRunning: true)
    try await store.dispatch(.ask("job"), reaching: runs)
    try await updates.waiters(atLeast: 1)
    let down = Task { await store.shutdown(hard: .seconds(10), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(6))
    runs.open()
    // The run has returned; the update goes on.
    try await eventually { store.activity.entries.count == 1 }
    clock.advance(by: .seconds(4))
    #expect(await down.value.unfinished.count == 1)
    #expect(clock.now == .start.advanced(by: .seconds(10)))
    updates.open()
  }
}
