import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What observers are told.
@Suite("Observers", .timeLimit(.minutes(10)))
struct ObserverTests {
  private let observer = EventRecorder()

  @Test("an observer is told of every fate, numbered without gaps, with its cause", arguments: Queue.allCases)
  func fates(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let gate = Gate()
    store.observe(observer)
    store.connect(
      NamedJobEffect { job, send in
        if job.value == 1 { await gate.waitIgnoringCancellation() }
        await send(.report("\(job)"))
      }, named: "Jobs")
    store.dispatch(.ask(Job("job", 1)))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.ask(Job("job", 2)))
    await store.settled(opening: gate)
    #expect(
      observer.lines.filter { !$0.contains("did reduce") } == [
        "connected Jobs",
        "1 will reduce ask(job1)", "started #1 job1",
        "2 will reduce ask(job2)", "cancelled #1 job1",
        "fenced report(\"job1\")", "ended #1 job1", "started #2 job2",
        "3 will reduce report(\"job2\")", "finished #2 job2",
      ])
    let events = observer.events.values
    #expect(events.map(\.number) == Array(1...UInt64(events.count)))
    for event in events {
      switch event.kind {
      case .willReduce(_, 3, .run(let run, let startedBy, _)),
        .turnedAway(_, .fenced, .run(let run, let startedBy, _)):
        #expect(run.name == "Jobs")
        #expect(startedBy == run.generation)  // job n was asked for by action n
      case .willReduce(_, let sequence, .outside(let site)):
        #expect(sequence < 3)
        #expect(site.fileID.description.hasSuffix("ObserverTests.swift"))
      case .willReduce: Issue.record("an action of a run that counts as from outside, or the other way round")
      default: break
      }
    }
  }

  @Test("no observer is told of a connection that has ended before it had its place")
  func neverConnected() async {
    let store = BoardStore(on: .immediate)
    store.observe(observer)
    let always = { @Sendable (_: borrowing Board) in true }
    store.connect(while: always, named: "part") { part in
      part.connect(JobEffect { _, _ in }, named: "brief").disconnect()
    }
    await store.settled()
    await store.shutdown()
    #expect(observer.lines == ["connected part", "disconnected part"])
  }

  @Test("events tell of updates and of connections, in the order of their turns")
  func connections() async {
    let store = BoardStore(on: .immediate)
    store.observe(observer)
    let connection = store.connect(RecordingComponent<Int>(), to: \.count, named: "Count")
    await store.settled()
    await store.settled(after: .add(1))
    connection.disconnect()
    await store.settled()
    #expect(
      observer.lines.filter { $0.contains("Count") } == [
        "connected Count", "updated Count at 0", "updated Count at 1", "disconnected Count",
      ])
  }

  @Test("an observer that was disconnected is told nothing more, and one that holds on delays nobody")
  func disconnected() async throws {
    final class Slow: StoreObserver {
      let hold = Hold()
      let count = Recorder<Void>()
      func observe(_ event: StoreEvent) {
        if count.count == 0 { hold.stay() }
        count.append(())
      }
    }
    let store = BoardStore(on: .immediate)
    let slow = Slow()
    let connection = store.observe(slow)
    store.dispatch(.add(1))
    try await slow.hold.isHeld()
    for _ in 0..<100 { store.dispatch(.add(1)) }
    #expect(store.state.count == 101)
    connection.disconnect()
    slow.hold.letGo()
    await connection.finished()
    let count = slow.count.count
    #expect(count <= 2)  // what it was being told of
    await store.settled(after: .add(1))
    #expect(slow.count.count == count)
  }

  @Test("onAction hears every action with its state, and settled() waits for it", arguments: Queue.allCases)
  func onAction(queue: Queue) async {
    let store = BoardStore(on: queue)
    let counts = Recorder<Int>()
    store.onAction { _, board in counts.append(board.count) }
    for _ in 0..<200 { store.dispatch(.add(1)) }
    await store.settled()
    #expect(counts.values == Array(1...200))
  }

  @Test("an observer that is busy as the last handle goes hears all", arguments: Queue.allCases)
  func lastHandle(queue: Queue) async throws {
    let (hold, counts) = (Hold(), Recorder<Int>())
    let connections = Recorder<Connection>()
    do {
      let store = BoardStore(on: queue)
      connections.append(
        store.onAction { _, board in
          if board.count == 1 { hold.stay() }
          counts.append(board.count)
        })
      for _ in 0..<100 { store.dispatch(.add(1)) }
      try await hold.isHeld()
    }
    hold.letGo()
    await connections.values[0].finished()
    #expect(counts.values == Array(1...100))
  }

  @Test("observers that block hold up neither the store nor each other", .blocksThreads)
  func blocking() async throws {
    let store = BoardStore(on: .serial)
    let (entered, token) = (Recorder<Int>(), Signal())
    // Few enough to leave threads to others: Dispatch makes 64 for all serial queues together.
    for number in 0..<16 {
      store.onAction { _, _ in
        entered.append(number)
        #expect(token.wait())
        token.give()
      }
    }
    store.dispatch(.add(1))
    try await entered.values(atLeast: 16)
    store.dispatch(.add(1))
    try await eventually { store.state.count == 2 }
    token.give()
    await store.settled()
    #expect(entered.values.count == 32)
  }

  @Test("a store that is given no name is called after its state, whatever else is chosen")
  func unnamed() {
    #expect(BoardStore(on: .immediate).activity.name == "Board")
    let options = StoreOptions(loopDetection: .off)
    let chosen = BoardStore(on: .immediate, options: options)
    #expect(chosen.activity.name == "Board")
    #expect(chosen.loopDetection == .off)
    #expect(BoardStore(on: .immediate, options: StoreOptions(name: "main")).activity.name == "main")
  }

  @Test("an action is mapped once after the observer of its scope has gone")
  func mappedOnce() async {
    let mapped = Recorder<Int>()
    let store = BoardStore(on: .immediate)
    let scope = store.scope(
      \.count,
      action: { (step: Int) -> Board.Action in
        mapped.append(step)
        return .add(step)
      })
    scope.onAction { _, _ in }.disconnect()
    scope.dispatch(1)
    #expect(mapped.values == [1])
    await store.settled()
  }

  @Test("a sequence of actions goes on when another one of the store has ended")
  func otherSequence() async throws {
    let store = BoardStore(on: .serial)
    var first: StoreActions<Board, Board.Action>? = store.actions()
    let second = store.actions()
    await store.settled()
    withExtendedLifetime(first) {}
    first = nil
    await store.send(.add(1))
    try await inTime { #expect(await second.first { _ in true }?.state.count == 1) }
  }

  @Test("a connection that is held does not keep an observer that has gone")
  func goneObserver() async {
    final class Quiet: StoreObserver { func observe(_ event: StoreEvent) {} }
    let store = BoardStore(on: .serial)
    var observer: Quiet? = Quiet()
    let isGone = { [weak observer] in observer == nil }
    let connection = observer.map { store.observe($0) }
    observer = nil
    connection?.disconnect()
    await connection?.finished()
    await store.settled()
    #expect(isGone())
    withExtendedLifetime(connection) {}
  }
}
