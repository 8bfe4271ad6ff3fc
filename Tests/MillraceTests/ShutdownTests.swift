import MillraceTesting
import Testing

@testable import Millrace

/// Settling, shutting down, and what handles keep alive.
@Suite("Shutdown and handles")
struct ShutdownTests {
  private let gate = Gate()
  private let began = Recorder<String>()
  private let ended = Recorder<String>()

  private var stubborn: JobEffect<Never> {
    JobEffect { [gate, began, ended] job, _ in
      began.append("\(job)")
      await gate.waitIgnoringCancellation()
      ended.append("\(job), cancelled: \(Task.isCancelled)")
    }
  }

  // MARK: Settled

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
    while store.engine.locked({ store.engine.waiters.count }) < length { await Task.yield() }
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

  // MARK: Shutdown

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
    #expect(try await ended.values(count: 1) == ["short done"])
    clock.advance(by: .seconds(5))
    #expect(await down.value.isClean)
    #expect(ended.values == ["short done", "long stopped"])
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

  // MARK: Handles

  private final class Token: Equatable, Sendable {
    static func == (left: Token, right: Token) -> Bool { left === right }
  }

  private struct Holder: Equatable, Sendable {
    let token: Token
    var count = 0
  }

  private func holder(_ token: Token, _ queue: Queue) -> Store<Holder, Int> {
    Store(initialState: Holder(token: token), on: queue.queue) { $0.count += $1 }
  }

  @Test(
    "connections, sequences, sends and updates under way keep no store and no state alive",
    arguments: Queue.allCases)
  func lastHandle(queue: Queue) async throws {
    var token: Token? = Token()
    weak let state = token
    var store = token.map { holder($0, queue) }
    token = nil
    let sends = Recorder<Send<Int>>()
    let slow = RecordingComponent<Int>(holdingAt: gate)
    let connections = [
      store?.connect(slow, to: \.count),
      store?.connect(
        when: { Optional($0.count) },
        run: { [gate] _, send in
          sends.append(send)
          await gate.waitIgnoringCancellation()
        }),
    ]
    let values = store?.values(of: \.count)
    let actions = store?.actions()
    try await gate.waiters(atLeast: 2)
    store?.dispatch(1)
    await store?.send(1)
    store = nil
    #expect(await sends.values[0](1) == .refused)
    for connection in connections { connection?.disconnect() }
    // What was recorded is still given, and kept no longer.
    var counts: [Int] = []
    if let actions { for await (_, state) in actions { counts.append(state.count) } }
    #expect(counts == [1, 2])
    if let values { for await count in values { #expect(count == 2) } }
    while state != nil { await Task.yield() }  // until its last turns are made
    gate.open()
    try await slow.finished.values(count: 1)
  }

  @Test("when the last handle goes, accepted actions are still reduced and suspended senders return")
  func acceptedIsReduced() async throws {
    let hold = Hold()
    let reduced = Recorder<Int>()
    let isHeld = 1
    var store: Store<Int, Int>? = Store(initialState: 0, on: Hold.queue) { count, step in
      if step == isHeld { hold.stay() }
      count += step
      reduced.append(step)
    }
    store?.dispatch(isHeld)
    try await hold.isHeld()
    let scope = store?.scope(\.self, action: { (step: Int) in step })
    let sender = Task { [weak scope] in await scope?.send(2) }
    await store?.mailboxHolds(1)
    store?.dispatch(3)
    store = nil
    hold.letGo()
    #expect(await sender.value == .reduced)
    try await reduced.values(count: 3)
    withExtendedLifetime(scope) {}
    #expect(reduced.values == [1, 2, 3])
  }

  @Test(
    "the store keeps components and effects until they are disconnected, and not longer",
    arguments: Queue.allCases)
  func components(queue: Queue) async {
    let store = BoardStore(on: queue)
    weak var component: RecordingComponent<Int>?
    let connection: Connection
    do {
      let strong = RecordingComponent<Int>()
      component = strong
      connection = store.connect(strong, to: \.count)
    }
    await store.settled()
    #expect(component != nil)
    connection.disconnect()
    await connection.finished()
    await store.settled()
    while component != nil { await Task.yield() }
    #expect(store.activity.entries.isEmpty)
  }

  @Test("views are held weakly and disconnected when they are gone") @MainActor
  func views() async {
    let store = BoardStore(on: .immediate)
    weak var weakView: RecordingView?
    do {
      let view = RecordingView()
      weakView = view
      store.connect(view, to: \.count)
      await store.settled()
    }
    #expect(weakView == nil)
    store.dispatch(.add(1))
    await store.settled()
    #expect(store.activity.entries.isEmpty)
    #expect(store.engine.locked { store.engine.root.childCount == 0 })
  }

  @Test("a bag ends its connections together, and when nobody holds it any more")
  func bag() async throws {
    let store = BoardStore(on: .immediate)
    let first = ConnectionBag()
    store.connect(stubborn).store(in: first)
    store.connect(RecordingComponent<Int>(), to: \.count).store(in: first)
    store.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 1)
    gate.open()
    await first.disconnectAndFinish()
    #expect(store.activity.entries.isEmpty)
    #expect(ended.values.count == 1)
    do {
      let second = ConnectionBag()
      second.insert(store.connect(RecordingComponent<Int>(), to: \.count))
      #expect(store.activity.entries.count == 1)
    }
    await store.settled()
    #expect(store.activity.entries.isEmpty)
  }
}
