import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Sequences, action observers and scopes.
@Suite("Sequences and scopes", .timeLimit(.minutes(10)))
struct SequenceTests {
  private typealias Action = TwoBoards.Action

  // MARK: Turns and waiting

  #if DEBUG
  @Test("an actions() without a bound, whose consumer is 10,000 actions behind, is reported once")
  func farBehind() async {
    let kinds = Recorder<StoreDiagnostic.Kind>()
    let store = Store(
      initialState: 0, on: .immediate,
      options: StoreOptions(diagnostics: .mistakes { kinds.append($0.kind) }),
      reduce: { (count: inout Int, step: Int) in count += step })
    let bounded = store.actions(buffering: .bufferingNewest(20_000))
    let unbounded = store.actions()
    for _ in 1...9_999 { store.dispatch(1) }
    #expect(kinds.values.isEmpty)
    for _ in 1...10_000 { store.dispatch(1) }
    #expect(kinds.values == [.slowConsumer])
    withExtendedLifetime((bounded, unbounded)) {}
  }
  #endif

  @Test("dispatchAndWait returns when its action and all before it are reduced", arguments: Queue.allCases)
  func dispatchAndWait(queue: Queue) async {
    let store = BoardStore(on: queue)
    await onThreads(3) { thread in
      for number in 1...50 {
        store.dispatch(.report("\(thread) \(number)"))
        store.dispatchAndWait(.report("\(thread) \(number)!"))
        let own = store.state.log.filter { $0.hasPrefix("\(thread) ") }
        #expect(own.count == number * 2)
        #expect(own.last == "\(thread) \(number)!")
      }
    }
    #expect(store.state.log.count == 300)
  }

  @TaskLocal private static var isCaller = false

  @Test(
    "dispatchAndWait reduces on the calling thread where nobody else does, and leaves the rest to the queue",
    .timeLimit(.minutes(30)))
  func waitHere() async throws {
    let hold = Hold()
    let areOnCaller = Recorder<Bool>()
    let store = Store(initialState: Board(), on: Hold.queue) { (board, action: Board.Action) in
      areOnCaller.append(Self.isCaller)
      if action == .report("hold") { hold.stay() }
      Board.reduce(&board, action)
    }
    async let waiting: Void = onThread {
      Self.$isCaller.withValue(true) { store.dispatchAndWait(.report("hold")) }
    }
    try await hold.isHeld()
    store.dispatch(.report("other"))
    hold.letGo()
    await waiting
    await store.settled()
    #expect(store.state.log == ["hold", "other"])
    #expect(areOnCaller.values == [true, false])
  }

  @Test("dispatchAndWait that is refused leaves the store to others", .timeLimit(.minutes(30)))
  func waitRefused() async {
    let store = TwoBoardStore(on: .serial)
    let left = store.scope(\.left, action: Action.left)
    await left.shutdown()
    left.dispatchAndWait(.add(1))
    store.dispatch(.right(.add(2)))
    await store.settled()  // unlike a sending, can be cancelled at the time limit
    #expect(store.state.left.count == 0)
    #expect(store.state.right.count == 2)
  }

  @Test("dispatchAndWait inside a reducer is reported and dispatches", arguments: Queue.allCases)
  func waitInside(queue: Queue) async throws {
    let reports = Recorder<StoreDiagnostic.Kind>()
    let options = StoreOptions(diagnostics: .mistakes { reports.append($0.kind) })
    let wait = Recorder<@Sendable () -> Void>()
    let reduce: Reducer<Int, Int> = { count, step in
      count += step
      if step == 1 { wait.values[0]() }
    }
    let store = Store(initialState: 0, on: queue.queue, options: options, reduce: reduce)
    wait.append { [weak store] in store?.dispatchAndWait(10) }
    await store.settled(after: 1)
    #expect(store.state == 11)
    // A report is made after its turn: a store may have settled before.
    try await eventually { reports.values.contains(.waitInsideTurn) }
  }

  // MARK: Sequences

  @Test("a sequence of actions records from its creation, also one of a scope", arguments: Queue.allCases)
  func fromCreation(queue: Queue) async throws {
    let hold = Hold()
    let store = TwoBoardStore(initialState: TwoBoards(), on: Hold.queue) { boards, action in
      if action == .right(.report("hold")) { return hold.stay() }
      TwoBoards.reduce(&boards, action)
    }
    let scope = store.scope(\.left, action: Action.left)
    scope.dispatch(.add(100))
    store.dispatch(.right(.report("hold")))
    try await hold.isHeld()
    let ofScope = scope.actions()
    let observed = Recorder<Board.Action>()
    scope.onAction { action, _ in observed.append(action) }
    scope.dispatch(.add(1))
    store.dispatch(.left(.add(2)))  // not sent through the scope
    for step in 3...4 { scope.dispatch(.add(step)) }
    hold.letGo()
    await store.shutdown()
    var recorded: [Board.Action] = []
    var states: [Int] = []
    for await (action, state) in ofScope {
      recorded.append(action)
      states.append(state.count)
    }
    #expect(recorded == [.add(1), .add(3), .add(4)])
    #expect(states == [101, 106, 110])
    #expect(observed.values == recorded)
  }

  @Test("a bound drops the oldest actions; at least one is kept", arguments: [-1, 0, 1, 3])
  func bounded(bound: Int) async {
    let store = BoardStore(on: .immediate)
    let actions = store.actions(buffering: .bufferingNewest(bound))
    let kept = max(bound, 1)
    for step in 1...10 { store.dispatch(.add(step)) }
    await store.shutdown()
    var steps: [Board.Action] = []
    for await (action, _) in actions { steps.append(action) }
    #expect(steps == (11 - kept...10).map { .add($0) })
  }

  @Test("values are conflated and distinct, and end with the store", arguments: Queue.allCases)
  func values(queue: Queue) async {
    let store = BoardStore(on: queue)
    let values = store.values(of: \.count)
    let seen = Task {
      var seen: [Int] = []
      for await value in values { seen.append(value) }
      return seen
    }
    for _ in 0..<100 { await store.send(.add(1)) }
    await store.settled(after: .report("something else"))
    await store.shutdown()
    let all = await seen.value
    #expect(all.last == 100)
    #expect(zip(all, all.dropFirst()).allSatisfy(<))
  }

  @Test("forgetting a sequence disconnects it, and cancelling its consumer ends it")
  func forgotten() async throws {
    let store = BoardStore(on: .immediate)
    do {
      let values = store.values(of: \.count)
      let iterator = values.makeAsyncIterator()
      #expect(await iterator.next() == 0)
      #expect(store.activity.entries.count == 1)
    }
    #expect(store.activity.entries.isEmpty)
    let actions = store.actions()
    let consumer = Task {
      for await _ in actions {}
      return true
    }
    consumer.cancel()
    #expect(await consumer.value)
  }

  // MARK: Scopes

  @Test("scopes show their slice, nest, and send through their parents", arguments: Queue.allCases)
  func scopes(queue: Queue) async {
    let store = TwoBoardStore(on: queue)
    let left = store.scope(\.left, action: Action.left)
    let count = left.scope(\.count, action: Board.Action.add)
    let doubled = store.scope(computed: { $0.left.count * 2 }, action: { Action.left(.add($0)) })
    await count.send(3)
    await doubled.send(4)
    #expect(count.state == 7)
    #expect(left.state.count == 7)
    #expect(doubled.state == 14)
    #expect(store.state.right == Board())
  }

  @Test("settled() of a scope concerns what was sent and connected through it", arguments: Queue.allCases)
  func settledScope(queue: Queue) async throws {
    let store = TwoBoardStore(on: queue)
    let gate = Gate()
    let left = store.scope(\.left, action: Action.left)
    let right = store.scope(\.right, action: Action.right)
    left.connect(JobEffect { _, _ in await gate.waitIgnoringCancellation() })
    right.connect(JobEffect { job, send in await send(.report("\(job)")) })
    try await left.dispatch(.ask("long"), reaching: gate)
    right.dispatch(.ask("short"))
    await right.settled()  // the other scope is busy
    #expect(right.state.log == ["short"])
    await store.settled(opening: gate)
  }

  private func count<Elements: AsyncSequence>(_ elements: Elements) async -> Int
  where Elements.Failure == Never {
    var count = 0
    for await _ in elements { count += 1 }
    return count
  }

  @Test("what is sent through scopes is recorded once by each, and mapped once", arguments: Queue.allCases)
  func recordedOnce(queue: Queue) async {
    let store = TwoBoardStore(on: queue)
    let mapped = Recorder<String>()
    let left = store.scope(
      \.left,
      action: { action in
        mapped.append("left")
        return Action.left(action)
      })
    let inner = left.scope(
      \.count,
      action: { number in
        mapped.append("count")
        return Board.Action.add(number)
      })
    inner.dispatch(0)
    #expect(mapped.values == ["count", "left"])
    let actions = (inner.actions(), left.actions())
    inner.dispatch(1)
    inner.dispatch(2)
    left.dispatch(.add(3))
    #expect(await inner.send(4) == .reduced)
    #expect(store.state.left.count == 10)
    await store.shutdown()
    #expect(await [count(actions.0), count(actions.1)] == [3, 4])
  }

  @Test("shutdown() of a scope ends what was connected through it alone", arguments: Queue.allCases)
  func shutdownScope(queue: Queue) async {
    let store = TwoBoardStore(on: queue)
    let left = store.scope(\.left, action: Action.left)
    let inner = left.scope(\.count, action: Board.Action.add)
    let right = store.scope(\.right, action: Action.right)
    let components = [RecordingComponent<Int>(), RecordingComponent<Int>()]
    left.connect(components[0], to: \.count)
    right.connect(components[1], to: \.count)
    left.dispatch(.add(1))
    let report = await left.shutdown()
    #expect(report.isClean)
    #expect(!left.dispatch(.add(1)))
    #expect(await inner.send(1) == .refused)
    #expect(store.dispatch(.left(.add(1))))
    #expect(right.dispatch(.add(1)))
    await store.settled()
    #expect(components[0].received.values.last == 1)
    #expect(components[1].received.values.last == 1)
    #expect(store.state.left.count == 2)
    #expect(left.activity.entries.isEmpty)
  }

  // MARK: Handing over

  @Test("the newest value is handed over last, also when handing over is overtaken")
  func handOverOvertaken() async throws {
    let store = BoardStore(on: .immediate)
    let values = Recorder<Int>()
    let began = Recorder<Void>()
    store.connect(
      FollowingJobEffect { [weak store] jobs, _ in
        if jobs.first.name == "other" {
          let askAgain: @Sendable () -> Void = { [weak store] in store?.dispatch(.ask(Job("job", 3))) }
          await withTaskCancellationHandler {
            began.append(())
            for await _ in jobs {}
          } onCancel: {
            askAgain()  // after the turn that stopped it has decided, before its values are handed over
          }
        } else {
          for await job in jobs { values.append(job.value) }
        }
      })
    store.dispatch(.askOnly([Job("job", 1), "other"]))
    try await began.values(atLeast: 1)
    try await values.values(atLeast: 1)
    store.dispatch(.askOnly([Job("job", 2)]))
    #expect(store.state.jobs == [Job("job", 3)])
    try await eventually { values.values.last == 3 }
    await store.settled(after: .drop("job"))
    #expect(values.values.last == 3)
  }

  @Test("two requests of one identity in one set are reported with both, and one of them is served")
  func clash() async {
    let reports = Recorder<StoreDiagnostic>()
    let began = Recorder<String>()
    let store = BoardStore(
      on: .immediate, options: StoreOptions(diagnostics: .mistakes { reports.append($0) }))
    store.connect(NamedJobEffect { job, _ in began.append("\(job)") })
    await store.settled(after: .askOnly([Job("job", 1), Job("job", 2)]))
    #expect(reports.values.map(\.kind) == [.clashingRequests])
    #expect(reports.values.allSatisfy { $0.message.contains("job1") && $0.message.contains("job2") })
    #expect(began.count == 1)
  }
}
