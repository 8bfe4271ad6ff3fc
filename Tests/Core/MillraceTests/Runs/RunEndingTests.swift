import Millrace
import MillraceTesting
import TestSupport
import Testing

/// The five ways in which a run ends, as observers see them.
@Suite("How a run ends")
struct RunEndingTests {
  struct Failure: Error {}

  private final class Endings: StoreObserver {
    let lines = Recorder<String>()
    func observe(_ event: StoreEvent) {
      switch event.kind {
      case .runEnded(let run, let ending, let reduced):
        lines.append("\(run.request) \(ending), \(reduced) reduced")
      case .runReturned(let run, let fenced): lines.append("\(run.request) returned, \(fenced) fenced")
      default: break
      }
    }
  }

  /// Parts with jobs of their own.
  private struct Parts: Sendable {
    struct Part: Identifiable, Equatable, Sendable {
      let id: Int
      var job: String?
    }
    enum Action: Sendable {
      case drop(Int)
      case dropAll
      case drops([Int])
    }
    var parts: KeyedArray<Part>
    static let action: @Sendable (Int, Action) -> Action = { _, action in action }
    static func reduce(_ state: inout Parts, _ action: Action) {
      switch action {
      case .drop(let id): state.parts.remove(id: id)
      case .dropAll: state.parts = []
      case .drops(let ids): for id in ids { state.parts.remove(id: id) }
      }
    }
  }

  private let endings = Endings()

  private func observed(on queue: Queue) -> BoardStore {
    let store = BoardStore(on: queue)
    store.observe(endings)
    return store
  }

  @Test("a body that returns has finished", arguments: Queue.allCases)
  func finished(queue: Queue) async {
    let store = observed(on: queue)
    store.connect(JobEffect { _, send in await send(.report("done")) })
    await store.settled(after: .ask("a"))
    store.dispatch(.drop("a"))  // a finished request that leaves the state ends nothing
    await store.settled()
    #expect(endings.lines.values == ["a finished, 1 reduced"])
  }

  @Test("a run whose own action withdraws its request is answered", arguments: Queue.allCases)
  func answered(queue: Queue) async {
    let store = observed(on: queue)
    store.connect(
      JobEffect { _, send in
        await send(.report("on its way"))
        await send(.drop("a"))
        await send(.report("too late"))
      })
    await store.settled(after: .ask("a"))
    #expect(
      endings.lines.values == [
        "a answered by its action 3, 2 reduced", "a returned, 1 fenced",
      ])
  }

  @Test("a run whose own action replaces its request is answered", arguments: Queue.allCases)
  func answeredByReplacement(queue: Queue) async {
    let store = observed(on: queue)
    store.connect(
      NamedJobEffect { job, send in if job.value == 1 { await send(.ask(Job("a", 2))) } })
    await store.settled(after: .ask(Job("a", 1)))
    #expect(
      endings.lines.values == [
        "a1 answered by its action 2, 1 reduced", "a1 returned, 0 fenced", "a2 finished, 0 reduced",
      ])
  }

  @Test("a run whose request another action withdraws or replaces is withdrawn", arguments: Queue.allCases)
  func withdrawn(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let (first, second) = (Gate(), Gate())
    store.observe(endings)
    store.connect(NamedJobEffect { job, _ in try? await (job.value == 1 ? first : second).wait() })
    store.dispatch(.ask(Job("a", 1)))
    try await store.dispatch(.ask(Job("a", 2)), reaching: second)
    store.dispatch(.add(1))
    await store.settled(after: .drop("a"))
    #expect(
      endings.lines.values == [
        "a1 withdrawn by action 2, 0 reduced", "a1 returned, 0 fenced",
        "a2 withdrawn by action 4, 0 reduced", "a2 returned, 0 fenced",
      ])
  }

  @Test("the action of another run withdraws, and does not answer")
  func withdrawnByAnother() async throws {
    let store = BoardStore(on: .immediate)
    let gate = Gate()
    store.observe(endings)
    store.connect(JobEffect { _, _ in try? await gate.wait() }, to: \.self, named: "waits")
    try await store.dispatch(.ask("a"), reaching: gate)
    let first = { @Sendable (board: Board) in board.jobs.first }
    store.connect(when: first, named: "other") { _, send in await send(.drop("a")) }
    await store.settled()
    #expect(
      Set(endings.lines.values.filter { $0.contains("by") }) == [
        "a withdrawn by action 2, 0 reduced", "a answered by its action 2, 1 reduced",
      ])
  }

  @Test("the end of a connection, of a store and of a part disconnects", arguments: Queue.allCases)
  func disconnected(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let gate = Gate()
    store.observe(endings)
    let connection = store.connect(JobEffect { _, _ in try? await gate.wait() })
    try await store.dispatch(.ask("a"), reaching: gate)
    connection.disconnect()
    await store.settled()
    #expect(endings.lines.values == ["a disconnected, 0 reduced", "a returned, 0 fenced"])
    store.connect(JobEffect { _, _ in try? await gate.wait() })
    try await gate.waiters(atLeast: 1)
    _ = await store.shutdown(graceful: .zero)
    #expect(endings.lines.values.count { $0 == "a disconnected, 0 reduced" } == 2)
  }

  @Test("a part that ends by an action of its own run has answered it, however many parts end")
  func partEndedByItself() async throws {
    let count = 2 * tornDownAtOnce
    let parts = (0..<count).map { Parts.Part(id: $0, job: $0 == count / 2 ? "sends" : "waits") }
    let store = Store(
      initialState: Parts(parts: try KeyedArray(parts)), on: .immediate, reduce: Parts.reduce)
    let gate = Gate()
    store.observe(endings)
    store.connectEach(\.parts, action: Parts.action) { _, part in
      part.connect(when: { $0.job }) { job, send in
        if job == "sends" { await send(.dropAll) } else { try? await gate.wait() }
      }
    }
    await store.settled()
    #expect(
      endings.lines.values.filter { $0.hasPrefix("sends") }.first
        == "sends answered by its action 1, 1 reduced")
    #expect(endings.lines.values.count { $0 == "waits disconnected, 0 reduced" } == count - 1)
  }

  @Test("a run of another part is disconnected when an action ends both")
  func otherPart() async throws {
    let store = Store(
      initialState: Parts(parts: [Parts.Part(id: 1, job: "one"), Parts.Part(id: 2, job: "two")]),
      on: .immediate, reduce: Parts.reduce)
    let gate = Gate()
    store.observe(endings)
    store.connectEach(\.parts, action: Parts.action) { id, part in
      part.connect(when: { $0.job }) { _, send in
        if id == 1 { await send(.drop(2)) }
        try? await (id == 1 ? gate : Gate()).wait()
      }
    }
    try await gate.waiters(atLeast: 1)
    await store.settled(after: .drops([1]))
    let ends = endings.lines.values.filter { !$0.contains("returned") }
    #expect(ends.count == 2)
    #expect(ends[0].hasPrefix("two disconnected"))
    #expect(ends[1] == "one disconnected, 1 reduced")
  }

  @Test("a body that throws has failed, with the action that the error became")
  func failed() async {
    struct Fails: EffectComponent {
      func requests(in board: Board) -> Set<Job> { board.jobs }
      func run(_ job: Job, send: Send<Board.Action>) async throws(Failure) { throw Failure() }
      func action(for failure: Failure, of job: Job) -> Board.Action { .drop(job.name) }
    }
    let store = BoardStore(on: .immediate)
    let observer = EventRecorder(of: store)
    store.connect(Fails())
    await store.settled(after: .ask("a"))
    let endings = observer.events.values.compactMap { event -> (any Sendable)? in
      if case .runEnded(_, .failed(is Failure, let action), 0) = event.kind { action } else { nil }
    }
    #expect(endings.count == 1)
    #expect(endings.first as? Board.Action == .drop("a"))
    #expect(
      observer.runs.count { $0.hasPrefix("failed") || $0.hasPrefix("cancelled") || $0.hasPrefix("ended") }
        == 1)
  }

  @Test("E5: the error of a stopped body becomes no action, and the closure for errors is not called")
  func failedLate() async throws {
    let (gate, mapped) = (Gate(), Recorder<String>())
    let store = BoardStore(on: .immediate)
    store.connect(
      when: { $0.jobs },
      failure: { (_: LateFailure, job: Job) in
        mapped.append(job.name)
        return Board.Action.drop(job.name)
      },
      run: { _, _ throws(LateFailure) in
        await gate.waitIgnoringCancellation()
        throw LateFailure()
      })
    try await store.dispatch(.ask("a"), reaching: gate)
    store.dispatch(.drop("a"))
    await store.settled(opening: gate)
    #expect(mapped.values == [])
  }

  @Test("the end of a run that has sent nothing does not wait behind the end of one that has")
  func order() async throws {
    let (store, hold) = BoardStore.held()
    let (events, sends, gates) = (EventRecorder(), Gate(), [Gate(), Gate()])
    store.observe(events)
    store.connect(
      JobEffect { job, send in
        if job == "quiet" { return await gates[1].waitIgnoringCancellation() }
        await sends.waitIgnoringCancellation()
        Task.detached { await send(.report("late")) }
        await gates[0].waitIgnoringCancellation()
      })
    try await store.dispatch(.askOnly(["quiet", "sends"]), reaching: sends)
    try await gates[1].waiters(atLeast: 1)
    try await store.stays(at: hold)
    for _ in 0..<1_000 { store.dispatch(.add(1)) }
    let count = store.mailCount()
    sends.open()
    try await eventually { store.mailCount() == count + 1 }
    for (number, gate) in gates.enumerated() {
      gate.open()
      try await eventually { store.waitingReturns == number + 1 }
    }
    await onThread { hold.letGo() }
    await store.settled()
    let lines = events.lines
    let quiet = try #require(lines.firstIndex { $0.contains("finished") && $0.contains("quiet") })
    let late = try #require(lines.firstIndex { $0.contains("late") })
    #expect(quiet < late)
    #expect(lines[late...].contains { $0.contains("finished") && $0.contains("sends") })
  }
}

private struct LateFailure: Error {}
