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
    let observer = EventRecorder()
    store.observe(observer)
    store.connect(
      JobEffect(throwing: Trouble.self) { job, send throws(Trouble) in
        await send(.report("\(job) began"))
        throw job == "a" ? .smoke : .fire
      })
    store.dispatch(.askOnly(["a", "b"]))
    await store.settled()
    #expect(Set(store.state.log.filter { $0.hasSuffix("began") }) == ["a began", "b began"])
    #expect(Set(store.state.log.filter { !$0.hasSuffix("began") }) == ["a failed: smoke", "b failed: fire"])
    #expect(store.state.log.count == 4)
    #expect(observer.lines.filter { $0.hasPrefix("failed") }.count == 2)
    #expect(observer.lines.filter { $0.contains("will reduce report(\"a failed: smoke\")") }.count == 1)
  }

  @Test("E5: an error after the run was stopped is not a failure", arguments: Queue.allCases)
  func failureOfStopped(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let observer = EventRecorder()
    store.observe(observer)
    store.connect(
      JobEffect(throwing: CancellationError.self) { [gate, began] job, _ throws(CancellationError) in
        began.append("\(job)")
        try await gate.wait()
      })
    store.dispatch(.ask("job"))
    try await began.values(atLeast: 1)
    store.dispatch(.drop("job"))
    await store.settled()
    #expect(store.state.log.isEmpty)
    #expect(!observer.lines.contains { $0.hasPrefix("failed") })
    #expect(observer.lines.contains("ended #1 job"))
  }

  @Test("E5: an error that is thrown before the stop and arrives after it is not a failure")
  func failureBehindStop() async throws {
    let hold = Hold()
    let store = BoardStore(heldBy: hold)
    store.connect(
      JobEffect(throwing: Trouble.self) { [gate, began] job, _ throws(Trouble) in
        began.append("\(job)")
        await gate.waitIgnoringCancellation()
        throw .fire
      })
    store.dispatch(.ask("job"))
    try await began.values(atLeast: 1)
    store.dispatch(.report("hold"))
    try await hold.isHeld()
    store.dispatch(.drop("job"))
    gate.open()
    try await store.mailboxHolds(2)
    hold.letGo()
    await store.settled()
    #expect(store.state.log.isEmpty)
  }

  @Test("E5: a CancellationError from a run that nobody cancelled is a failure")
  func cancellationErrorOfItsOwn() async {
    let store = BoardStore(on: .immediate)
    store.connect(
      JobEffect(throwing: CancellationError.self) { _, _ throws(CancellationError) in
        throw CancellationError()
      })
    store.dispatch(.ask("job"))
    await store.settled()
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
    gate.open()
    await store.settled()
    #expect(store.state.log == ["bad failed: fire", "good done, cancelled: false"])
  }

  @Test("E5: a failure can make its own request anew")
  func failureRetries() async {
    struct Attempts: Equatable, Sendable { var attempt = 1 }
    let store = Store(initialState: Attempts(), on: .immediate) { (state: inout Attempts, attempt: Int) in
      state.attempt = attempt
    }
    store.connect(
      when: { Optional($0.attempt) }, failure: { (_: Trouble, attempt) in attempt + 1 },
      run: { attempt, _ throws(Trouble) in if attempt < 4 { throw .smoke } })
    await store.settled()
    #expect(store.state.attempt == 4)
  }

  // MARK: E6

  @Test(
    "E6: disconnecting stops and fences all runs, and finished() returns when all have returned",
    arguments: Queue.allCases)
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
    let hold = Hold()
    let store = BoardStore(heldBy: hold)
    await store.send(.ask("job"))
    store.dispatch(.report("hold"))
    try await hold.isHeld()
    let connecting = Task { [began] in store.connect(JobEffect { job, _ in began.append("\(job)") }) }
    hold.letGo()
    let connection = await connecting.value
    connection.disconnect()
    await connection.finished()
    let count = began.count  // it may have had its place before
    store.dispatch(.ask("other"))
    await store.settled()
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
    store.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 3)
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
    struct App: Equatable, Sendable { var board = Board() }
    let reduce: Reducer<App, Board.Action> = { Board.reduce(&$0.board, $1) }
    let action: @Sendable (Board.Action) -> Board.Action = { $0 }
    var scope: BoardStore? = Store(initialState: App(), on: .immediate, reduce: reduce)
      .scope(\.board, action: action)
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
    store.dispatch(.askOnly([]))
    await store.settled()
    #expect(store.activity.entries.count == 2)
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
    #expect(store.activity.waiting == 0)
  }
}
