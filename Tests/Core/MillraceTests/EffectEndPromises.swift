import Millrace
import MillraceTesting
import TestSupport
import Testing

/// How runs end: E5, E6 and E7.
@Suite("Effects: how runs end", .timeLimit(.minutes(10)))
struct EffectEndPromises {
  private let began = Recorder<String>()
  private let ended = Recorder<String>()
  private let gate = Gate()

  private enum Trouble: Error { case smoke, fire }

  // MARK: E5

  @Test("E5: what a run throws becomes the action that its effect says", arguments: Queue.allCases)
  func failure(queue: Queue) async {
    let store = BoardStore(on: queue)
    let observer = EventRecorder(of: store)
    store.connect(
      JobEffect(throwing: Trouble.self) { job, send throws(Trouble) in
        await send(.report("\(job) began"))
        throw job == "a" ? .smoke : .fire
      })
    await store.settled(after: .askOnly(["a", "b"]))
    #expect(Set(store.state.log.filter { $0.hasSuffix("began") }) == ["a began", "b began"])
    #expect(Set(store.state.log.filter { !$0.hasSuffix("began") }) == ["a failed: smoke", "b failed: fire"])
    #expect(store.state.log.count == 4)
    #expect(observer.lines.filter { $0.hasPrefix("failed") }.count == 2)
    #expect(observer.lines.filter { $0.contains("will reduce report(\"a failed: smoke\")") }.count == 1)
  }

  @Test("E5: an error that is thrown before the stop and arrives after it is not a failure")
  func failureBehindStop() async throws {
    let (store, hold) = BoardStore.held()
    store.connect(
      JobEffect(throwing: Trouble.self) { [gate, began] job, _ throws(Trouble) in
        began.append("\(job)")
        await gate.waitIgnoringCancellation()
        throw .fire
      })
    store.dispatch(.ask("job"))
    try await began.values(atLeast: 1)
    try await store.stays(at: hold)
    store.dispatch(.drop("job"))
    gate.open()
    try await store.mailboxHolds(2)
    await store.settled(lettingGo: hold)
    #expect(store.state.log.isEmpty)
  }

  @Test("E5: a CancellationError from a run that nobody cancelled is a failure")
  func cancellationErrorOfItsOwn() async {
    let store = BoardStore(on: .immediate)
    store.connect(
      JobEffect(throwing: CancellationError.self) { _, _ throws(CancellationError) in
        throw CancellationError()
      })
    await store.settled(after: .ask("job"))
    #expect(store.state.log == ["job failed: CancellationError()"])
  }

  @Test("E5: the error of one run touches no other")
  func failureIsAlone() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(
      JobEffect(throwing: Trouble.self) { [gate, began] job, send throws(Trouble) in
        began.append("\(job)")
        if job == "bad" { throw .fire }
        await gate.waitIgnoringCancellation()
        await send(.report("\(job) done, cancelled: \(Task.isCancelled)"))
      })
    store.dispatch(.askOnly(["bad", "good"]))
    try await began.values(atLeast: 2)
    try await eventually { !store.state.log.isEmpty }  // until the failure is reduced
    await store.settled(opening: gate)
    #expect(store.state.log == ["bad failed: fire", "good done, cancelled: false"])
  }

  // MARK: E6

  @Test("E6: disconnecting stops and fences all runs; finished() waits for them", arguments: Queue.allCases)
  func disconnecting(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let fates = Recorder<Delivery>()
    let connection = store.connect(
      JobEffect { [began, ended, gate] job, send in
        began.append("\(job)")
        await gate.waitIgnoringCancellation()
        fates.append(await send(.report("\(job)")))
        ended.append("\(job) cancelled: \(Task.isCancelled)")
      })
    store.dispatch(.askOnly(["a", "b", "c"]))
    try await began.values(atLeast: 3)
    connection.disconnect()
    let opening = Task { [ended, gate] in
      for count in 1...3 {
        gate.pass()
        try await ended.values(atLeast: count)
      }
    }
    await connection.finished()
    #expect(Set(ended.values) == ["a cancelled: true", "b cancelled: true", "c cancelled: true"])
    try await opening.value
    #expect(fates.values == [.fenced, .fenced, .fenced])
    #expect(store.state.log.isEmpty)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("E6: nothing is started by a connection that has ended, not even before it took its place")
  func disconnectedAtOnce() async throws {
    let (store, hold) = BoardStore.held()
    await store.send(.ask("job"))
    try await store.stays(at: hold)
    let connecting = Task { [began] in store.connect(JobEffect { job, _ in began.append("\(job)") }) }
    hold.letGo()
    let connection = await connecting.value
    connection.disconnect()
    await connection.finished()
    let count = began.count  // it may have had its place before
    await store.settled(after: .ask("other"))
    #expect(began.count == count)
  }

  @Test("E6: disconnecting one connection leaves the others alone, and may be done twice")
  func disconnectingOne() async throws {
    let store = BoardStore(on: .immediate)
    let effect = JobEffect { [gate, began] job, send in
      began.append("\(job)")
      await gate.waitIgnoringCancellation()
      await send(.report("\(job)"))
    }
    let first = store.connect(effect)
    store.connect(effect)
    store.dispatch(.ask("job"))
    try await began.values(atLeast: 2)
    first.disconnect()
    first.disconnect()
    gate.open()
    await first.finished()
    await store.settled()
    #expect(store.state.log == ["job"])
  }

  @Test("E6: a bag disconnects all of its connections before it waits for any", arguments: Queue.allCases)
  func bag(queue: Queue) async throws {
    let (store, bag) = (BoardStore(on: queue), ConnectionBag())
    for _ in 0..<3 { store.connect(JobEffect<Never>.stubborn(until: gate, began, ended)).store(in: bag) }
    try await store.dispatch(.ask("job"), reaching: gate, by: 3)
    async let finishing: Void = bag.disconnectAndFinish()
    try await store.isAwaited()
    #expect(store.activity.entries.map(\.isConnected) == [false, false, false])
    gate.open()
    await finishing
    #expect(ended.count == 3)
    #expect(store.activity.entries.isEmpty)
  }

  // MARK: E7

  @Test("E7: when the last handle to a store goes, its runs are stopped", arguments: Queue.allCases)
  func lastHandle(queue: Queue) async throws {
    var store: BoardStore? = BoardStore(on: queue)
    let sends = Recorder<Send<Board.Action>>()
    store?.connect(
      JobEffect { [gate, ended] _, send in
        sends.append(send)
        do {
          try await gate.wait()
        } catch {
          ended.append("stopped, \(await send(.report("late")))")
        }
      })
    let connection = store?.connect(when: { Optional($0.count) }, run: { _, _ in })
    store?.dispatch(.ask("job"))
    try await sends.values(atLeast: 1)
    store = nil
    #expect(try await ended.values(atLeast: 1)[0].hasPrefix("stopped, "))
    #expect(await sends.values[0](.report("later")) == .refused)
    withExtendedLifetime(connection) {}
  }

  @Test("E7: a scope keeps its store alive, and the last one lets it go")
  func lastScope() async throws {
    var scope: BoardStore? = BoardStore(on: .immediate).scope(\.self)
    scope?.connect(
      JobEffect { [gate, began, ended] job, _ in
        began.append("\(job)")
        do { try await gate.wait() } catch { ended.append("\(job) stopped") }
      })
    scope?.dispatch(.ask("job"))
    try await began.values(atLeast: 1)
    #expect(scope?.state.jobs == ["job"])
    scope = nil
    #expect(try await ended.values(atLeast: 1) == ["job stopped"])
  }

  @Test("E7: what is no longer asked for leaves no entry", arguments: Queue.allCases)
  func noTableGrows(queue: Queue) async {
    let store = BoardStore(on: queue)
    store.connect(NamedJobEffect { job, send in await send(.drop(job.name)) })
    store.connect(JobEffect { _, _ in })
    for number in 0..<200 {
      store.dispatch(.ask(Job("job \(number % 7)", number)))
      if number.isMultiple(of: 3) { store.dispatch(.drop("job \(number % 5)")) }
    }
    await store.settled()
    await store.settled(after: .askOnly([]))
    #expect(store.activity.entries.count == 2)
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
    #expect(store.activity.waiting == 0)
  }
}
