import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What becomes of what a run sends: E3 and E4.
@Suite("Effects: the fence", .timeLimit(.minutes(10)))
struct FencePromises {
  private let began = Recorder<String>()
  private let runs = Recorder<Void>()
  private let fates = Recorder<Delivery>()
  private let gate = Gate()

  /// Reports its job; its first run does so after the gate has opened, whether it was stopped meanwhile or not.
  private var stubborn: JobEffect<Never> {
    JobEffect { [began, runs, fates, gate] job, send in
      runs.append(())
      let number = runs.count
      began.append("\(job)")
      if number == 1 { await gate.waitIgnoringCancellation() }
      fates.append(await send(.report("\(job) of run \(number)")))
    }
  }

  // MARK: E3

  enum Stop: CaseIterable, Sendable { case dropped, askedForAgain, replaced, reconnected }

  @Test(
    "E3: what a stopped run sends is never reduced, though its request or its effect has come back",
    arguments: Queue.allCases, Stop.allCases)
  func stopped(queue: Queue, stop: Stop) async throws {
    let store = BoardStore(on: queue)
    let effect = stubborn
    let named = NamedJobEffect { await effect.run($0, send: $1) }
    let connection = stop == .replaced ? store.connect(named) : store.connect(effect)
    store.dispatch(.ask(Job("job", 1)))
    try await began.values(atLeast: 1)
    switch stop {
    case .dropped: await store.send(.drop("job"))
    case .askedForAgain: for action in [Board.Action.drop("job"), .ask("job")] { await store.send(action) }
    case .replaced: await store.send(.ask(Job("job", 2)))
    case .reconnected:
      connection.disconnect()
      store.connect(effect)
      try await began.values(atLeast: 2)
    }
    await store.settled(opening: gate)
    let last =
      [Stop.dropped: nil, .askedForAgain: "job", .replaced: "job2", .reconnected: "job1"][stop] ?? nil
    #expect(store.state.log == (last.map { ["\($0) of run 2"] } ?? []))
    #expect(fates.values.filter { $0 == .fenced }.count == 1)
    #expect(fates.count == (last == nil ? 1 : 2))
    #expect(store.activity.fenced == 1)
  }

  @Test("E3: what waits in the mailbox as its run is stopped is never reduced", arguments: [false, true])
  func waiting(isDisconnected: Bool) async throws {
    let (hold, connections) = (Hold(), Recorder<Connection>())
    // Disconnects in the turn of another action, while what comes after still waits.
    let store = BoardStore(initialState: Board(), on: Hold.queue) { board, action in
      guard action == .report("hold") else { return Board.reduce(&board, action) }
      hold.stay()
      for connection in connections.values { connection.disconnect() }
    }
    let connection = store.connect(stubborn)
    if isDisconnected { connections.append(connection) }
    store.dispatch(.ask("job"))
    try await began.values(atLeast: 1)
    try await store.stays(at: hold)
    if !isDisconnected { store.dispatch(.drop("job")) }
    gate.open()
    try await store.mailboxHolds(isDisconnected ? 1 : 2)  // sent while the run was live
    #expect(fates.count == 0)
    await store.settled(lettingGo: hold)
    #expect(fates.values == [.fenced])
    #expect(store.state.log.isEmpty)
  }

  @Test("E3: what is sent after a run has returned is never reduced", arguments: Queue.allCases)
  func returned(queue: Queue) async throws {
    let store = BoardStore(on: queue, options: StoreOptions(diagnostics: StoreDiagnostics { _ in }))
    let stray = Recorder<Task<Delivery, Never>>()
    store.connect(
      JobEffect { [gate] job, send in
        stray.append(
          Task {
            await gate.waitIgnoringCancellation()
            return await send(.report("\(job) too late"))
          })
      })
    await store.settled(after: .ask("job"))
    gate.open()
    #expect(await stray.values[0].value == .fenced)
    #expect(store.state.log.isEmpty)
    #expect(store.state.jobs == ["job"])  // still asked for
  }

  @Test("E3: what a run sent before it returned is reduced, also when its return is seen first")
  func sentBeforeReturn() async throws {
    let (store, hold) = BoardStore.held()
    store.connect(
      JobEffect { [gate, fates, weak store] _, send in
        try? await gate.wait()
        Task { fates.append(await send(.report("last words"))) }
        try? await store?.mailboxHolds(1)
      })
    try await store.dispatch(.ask("job"), reaching: gate)
    try await store.stays(at: hold)
    gate.open()
    try await store.mailboxHolds(2)  // its words, and behind them its return
    hold.letGo()
    try await fates.values(atLeast: 1)
    #expect(fates.values == [.reduced])
    #expect(store.state.log == ["last words"])
  }

  // MARK: E4

  @Test("E4: what each task of a run sends is reduced in its order", arguments: Queue.allCases)
  func order(queue: Queue) async {
    let store = BoardStore(on: queue)
    store.connect(
      JobEffect { _, send in
        await withTaskGroup { group in
          for task in 0..<4 {
            group.addTask { for number in 0..<50 { await send(.report("\(task) \(number)")) } }
          }
        }
      })
    await store.settled(after: .ask("job"))
    let log = store.state.log
    #expect(log.count == 200)
    for task in 0..<4 {
      #expect(log.filter { $0.hasPrefix("\(task) ") } == (0..<50).map { "\(task) \($0)" })
    }
  }

  @Test("E4: send returns after the reduction and says that it was", arguments: Queue.allCases)
  func sendReturnsAfterReduction(queue: Queue) async {
    let store = BoardStore(on: queue)
    let seen = Recorder<[String]>()
    store.connect(
      JobEffect { [fates, weak store] _, send in
        fates.append(await send(.report("one")))
        seen.append(store?.state.log ?? [])
      })
    await store.settled(after: .ask("job"))
    #expect(fates.values == [.reduced])
    #expect(seen.values == [["one"]])
    #expect(await store.send(.report("two")) == .reduced)
    #expect(store.state.log == ["one", "two"])
  }

  @Test("E4: send says that the store accepts no more")
  func sendIsRefused() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(stubborn)
    store.dispatch(.ask("job"))
    try await began.values(atLeast: 1)
    async let report = store.shutdown()
    try await eventually { store.isClosed }  // while it closes, the run may deliver
    #expect(!store.dispatch(.add(1)))
    #expect(await store.send(.add(1)) == .refused)
    gate.open()
    #expect(await report.isClean)
    // Stopped by the shutdown or not yet: either way the run is told that its action did not count.
    #expect([[.refused], [.fenced]].contains(fates.values))
    #expect(store.state.log.isEmpty)
  }

  @Test("E4: a run that awaits what it sends cannot outrun the reducer")
  func firehose() async {
    let store = BoardStore(on: .serial)
    let observer = EventRecorder(of: store)
    store.connect(JobEffect { _, send in for number in 0..<200 { await send(.add(number)) } })
    await store.settled(after: .ask("job"))
    let depths = observer.events.values.compactMap { event -> Int? in
      if case .didReduce(_, _, let depth) = event.kind { depth } else { nil }
    }
    #expect(depths.count == 201)
    #expect(depths.max() == 0)
  }
}
