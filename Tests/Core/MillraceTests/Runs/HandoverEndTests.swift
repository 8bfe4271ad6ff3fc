import Dispatch
import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Values that are handed over and not taken", .timeLimit(.minutes(10)))
struct HandoverEndTests {
  private let gate = Gate()
  private let served = Recorder<String>()

  /// Takes the first value alone.
  private var takesFirst: FollowingJobEffect {
    FollowingJobEffect { [gate, served] jobs, _ in
      await gate.waitIgnoringCancellation()
      served.append("\(jobs.first)")
    }
  }

  @Test("E8: a value that a run has not taken when it returns begins a new run", arguments: Queue.allCases)
  func untaken(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.connect(takesFirst)
    try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
    await store.send(.ask(Job("a", 2)))
    await store.send(.ask(Job("a", 3)))
    await store.settled(opening: gate)
    #expect(served.values == ["a1", "a3"])
  }

  @Test("E8: a value that a run has taken begins no other, and none is fenced", arguments: Queue.allCases)
  func taken(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.connect(
      FollowingJobEffect { [served] jobs, send in
        for await job in jobs {
          #expect(await send(.report("\(job)")) == .reduced)
          served.append("\(job)")
          if job.value == 2 { return }
        }
      })
    store.dispatch(.ask(Job("a", 1)))
    try await served.values(atLeast: 1)
    await store.settled(after: .ask(Job("a", 2)))
    #expect(served.values == ["a1", "a2"])
    // It is finished with the value that it has taken: the next one runs anew.
    store.dispatch(.ask(Job("a", 3)))
    try await served.values(atLeast: 3)
    #expect(store.state.log == ["a1", "a2", "a3"])
    await store.shutdown()
  }

  /// Notes whether it is given a job from inside a turn of the store.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private final class WatchingExecutor: TaskExecutor {
    let store: Store<Board, Board.Action>
    let isInsideTurn = Recorder<Bool>()

    init(_ store: Store<Board, Board.Action>) { self.store = store }

    func enqueue(_ job: consuming ExecutorJob) {
      isInsideTurn.append(store.isInsideTurn)
      let job = UnownedJob(job)
      DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test("C5: a task that a body has left behind is woken outside of turns", arguments: Queue.allCases)
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func leftBehind(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let (executor, left) = (WatchingExecutor(store), Recorder<Task<Void, Never>>())
    store.connect(
      FollowingJobEffect { [gate] jobs, _ in
        left.append(Task(executorPreference: executor) { for await _ in jobs {} })
        await gate.waitIgnoringCancellation()
      })
    try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
    try await eventually { "\(store.activity)".contains("another value of its request") }
    gate.open()
    await left.values.first?.value
    await store.settled()
    #expect(executor.isInsideTurn.values.allSatisfy { !$0 })
    #expect(executor.isInsideTurn.count > 1)
  }

  /// Takes the first value alone, or those up to one with which it fails.
  @Test("a value that is given to a waiting consumer is taken at once, whenever the consumer goes on")
  func takenAtOnce() async {
    let updates = RequestUpdates(0)
    let consumer = Task { await updates.reduce(into: 0) { $0 = $1 } }
    for value in 1...1_000 {
      updates.offer(value)
      updates.takeValue()  // where the consumer is not waiting
      #expect(updates.lastTakenValue as? Int == value)
      await Task.yield()
    }
    updates.finish()
    _ = await consumer.value
  }

  private struct FailingJobEffect: HandoverEffectComponent {
    struct Failed: Error {}
    let gate: Gate
    let served: Recorder<String>
    var failsAt: Int?

    func id(of job: Job) -> String { job.name }
    func requests(in board: Board) -> Set<Job> { board.jobs }
    func run(following jobs: RequestUpdates<Job>, send: Send<Board.Action>) async throws(Failed) {
      guard let failsAt else {
        await gate.waitIgnoringCancellation()
        served.append("\(jobs.first)")
        throw Failed()
      }
      for await job in jobs {
        served.append("\(job)")
        guard job.value == failsAt else { continue }
        await gate.waitIgnoringCancellation()
        throw Failed()
      }
    }
    func action(for failure: Failed, of job: Job) -> Board.Action { .report("\(job) failed") }
  }

  @Test("E8: a value that a run has not taken when it fails begins a new run", arguments: Queue.allCases)
  func untakenByFailure(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.connect(FailingJobEffect(gate: gate, served: served))
    try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
    await store.send(.ask(Job("a", 2)))
    await store.settled(opening: gate)
    #expect(served.values == ["a1", "a2"])
    #expect(store.state.log == ["a1 failed", "a2 failed"])
  }

  @Test("The failure of a run is that of the value that it has taken last", arguments: Queue.allCases)
  func failureOfTakenValue(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.connect(FailingJobEffect(gate: gate, served: served, failsAt: 2))
    store.dispatch(.ask(Job("a", 1)))
    try await served.values(atLeast: 1)
    try await store.dispatch(.ask(Job("a", 2)), reaching: gate)
    // Nobody takes this one: another run begins with it.
    await store.send(.ask(Job("a", 3)))
    gate.open()
    try await served.values(atLeast: 3)
    #expect(served.values == ["a1", "a2", "a3"])
    #expect(store.state.log == ["a2 failed"])
    await store.shutdown()
  }

  @Test("E8: a value that was left begins no run if the failure's action drops it", arguments: Queue.allCases)
  func droppedByFailure(queue: Queue) async throws {
    let store = BoardStore(initialState: Board(), on: queue.queue) { board, action in
      if case .report = action { board.jobs = [] }
      Board.reduce(&board, action)
    }
    store.connect(FailingJobEffect(gate: gate, served: served))
    try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
    await store.send(.ask(Job("a", 2)))
    await store.settled(opening: gate)
    #expect(served.values == ["a1"])
    #expect(store.state.log == ["a1 failed"])
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
  }

  @Test("E8: a value that goes back to the one being served before the run returns begins no other")
  func backAgain() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(takesFirst)
    try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
    store.dispatch(.ask(Job("a", 2)))
    store.dispatch(.drop("a"))
    await store.settled(opening: gate)
    #expect(served.values == ["a1"])
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
  }

  @Test("E8: no value that was not taken begins a run while the store shuts down")
  func shuttingDown() async throws {
    let store = BoardStore(on: .immediate)
    let clock = TestClock()
    store.connect(takesFirst)
    try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
    store.dispatch(.ask(Job("a", 2)))
    let down = Task { await store.shutdown(graceful: .seconds(1), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    gate.open()
    #expect(await down.value.isClean)
    #expect(served.values == ["a1"])
  }

  @Test("a value that is offered after the end is not given, the one before it is")
  func offeredAfterTheEnd() async {
    let updates = RequestUpdates(1)
    updates.offer(2)
    updates.finish()
    updates.offer(3)
    var given: [Int] = []
    for await number in updates { given.append(number) }
    #expect(given == [2])
  }
}
