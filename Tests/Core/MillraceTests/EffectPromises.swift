import Millrace
import MillraceTesting
import Testing

/// What runs: E1, E2, E8, E9 and E10.
@Suite("Effects: what runs", .timeLimit(.minutes(10)))
struct EffectPromises {
  private let began = Recorder<String>()
  private let ended = Recorder<String>()
  private let gate = Gate()

  /// Records its beginning and its end, and stays until the gate opens or it is stopped.
  private var staying: JobEffect<Never> {
    JobEffect { [began, ended, gate] job, _ in
      began.append("\(job)")
      do {
        try await gate.wait()
        ended.append("\(job) done")
      } catch {
        ended.append("\(job) stopped")
      }
    }
  }

  // MARK: E1

  @Test("E1: requests gone are stopped, new ones started, kept ones left alone", arguments: Queue.allCases)
  func difference(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    store.connect(staying)
    store.dispatch(.askOnly(["a", "b"]))
    try await began.values(atLeast: 2)
    store.dispatch(.askOnly(["b", "c"]))
    #expect(try await ended.values(atLeast: 1) == ["a stopped"])
    #expect(Set(try await began.values(atLeast: 3)) == ["a", "b", "c"])
    await store.settled(opening: gate)
    #expect(began.count == 3)
    #expect(Set(ended.values) == ["a stopped", "b done", "c done"])
  }

  @Test("E1: a request that one action removes and the next one adds again is stopped and run anew")
  func noEdgeIsMissed() async throws {
    let (store, hold) = BoardStore.held()
    store.connect(staying)
    store.dispatch(.ask("job"))
    try await began.values(atLeast: 1)
    try await store.stays(at: hold)
    // Both wait in the mailbox, and are taken from it together.
    store.dispatch(.drop("job"))
    store.dispatch(.ask("job"))
    hold.letGo()
    #expect(try await ended.values(atLeast: 1) == ["job stopped"])
    await store.settled(opening: gate)
    #expect(began.values == ["job", "job"])
    #expect(ended.values == ["job stopped", "job done"])
  }

  @Test("E1: what runs is decided when the action is reduced, by the state after it")
  func sameTurn() async {
    let store = BoardStore(on: .immediate)
    store.connect(staying)
    store.dispatch(.ask("job"))
    #expect(store.activity.entries[0].work.map(\.request) == [String(reflecting: Job("job"))])
    store.dispatch(.drop("job"))
    #expect(store.activity.entries.flatMap(\.work).allSatisfy { $0.phase == .stopping })
    await store.settled()
    #expect(store.activity.entries[0].work.isEmpty)
  }

  @Test("E1: of an action with a list, the last state alone is compared")
  func list() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(staying)
    let component = RecordingComponent<Int>()
    store.connect(component, to: \.count)
    store.dispatch(.ask("kept"))
    try await began.values(atLeast: 1)
    try await component.received.values(atLeast: 1)
    store.dispatch(
      .all([.drop("kept"), .ask("brief"), .add(1), .drop("brief"), .ask("kept"), .add(1), .ask("new")]))
    try await began.values(atLeast: 2)
    await store.settled(opening: gate)
    #expect(began.values == ["kept", "new"])
    #expect(Set(ended.values) == ["kept done", "new done"])
    #expect(component.received.values == [0, 2])
    #expect(store.activity.reduced == 2)
  }

  // MARK: E2

  @Test("E2: bodies of equal identity never overlap, however often replaced", arguments: Queue.allCases)
  func noOverlap(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let observer = EventRecorder(of: store)
    let alive = Recorder<Int>()
    store.connect(
      NamedJobEffect { [gate, ended] job, _ in
        alive.append(1)
        await gate.waitIgnoringCancellation()
        alive.append(-1)
        ended.append("\(job)")
      })
    store.dispatch(.ask(Job("job", 1)))
    try await alive.values(atLeast: 1)
    for value in 2...9 { store.dispatch(.ask(Job("job", value))) }
    await store.send(.add(1))
    await store.settled(opening: gate)
    // Those between were replaced before they could begin.
    #expect(ended.values == ["job1", "job9"])
    #expect(alive.values == [1, -1, 1, -1])
    let runs = observer.runs
    #expect(runs.count == 5)
    #expect(runs.starts(with: ["started #1 job1", "cancelled #1 job1", "ended #1 job1"]))
  }

  @Test("E2: the same request, asked for again, waits until its stopped body has returned")
  func askedAgain() async throws {
    let store = BoardStore(on: .immediate)
    let observer = EventRecorder(of: store)
    store.connect(
      JobEffect { [gate, began] job, _ in
        began.append("\(job)")
        await gate.waitIgnoringCancellation()
      })
    store.dispatch(.ask("job"))
    try await began.values(atLeast: 1)
    store.dispatch(.drop("job"))
    store.dispatch(.ask("job"))
    #expect(store.activity.entries.last?.work.map(\.phase) == [.stopping, .starting])
    gate.open()
    await store.settled()
    let generations = observer.runs
    #expect(generations.prefix(3) == ["started #1 job", "cancelled #1 job", "ended #1 job"])
    #expect(generations.dropFirst(3).first?.hasPrefix("started") == true)
    #expect(began.count == 2)
  }

  @Test("E2: a body that never returns blocks its own identity alone")
  func blockedIdentity() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(
      NamedJobEffect { [gate, began] job, _ in
        began.append("\(job)")
        if job.name == "stuck" { await gate.waitIgnoringCancellation() }
      })
    store.dispatch(.ask(Job("stuck", 1)))
    try await began.values(atLeast: 1)
    store.dispatch(.ask(Job("stuck", 2)))
    store.dispatch(.ask("free"))
    #expect(try await began.values(atLeast: 2) == ["stuck1", "free"])
    await store.settled(opening: gate)
    #expect(began.values == ["stuck1", "free", "stuck2"])
  }

  // MARK: E8

  @Test("E8: a finished request runs again only if it differs or comes back", arguments: Queue.allCases)
  func finished(queue: Queue) async {
    let store = BoardStore(on: queue)
    store.connect(JobEffect { [began] job, _ in began.append("\(job)") })
    await store.settled(after: .ask(Job("job", 1)))
    for action in [Board.Action.add(1), .ask("other"), .ask(Job("job", 1))] { store.dispatch(action) }
    await store.settled()
    #expect(began.values == ["job1", "other"])
    await store.settled(after: .ask(Job("job", 2)))
    store.dispatch(.drop("job"))
    await store.settled(after: .ask(Job("job", 2)))
    #expect(began.values == ["job1", "other", "job2", "job2"])
  }

  @Test("E8: a finished identity whose request changes runs anew, also where changes are handed over")
  func finishedIdentity() async {
    let store = BoardStore(on: .immediate)
    store.connect(NamedJobEffect { [began] job, _ in began.append("restarted \(job)") })
    store.connect(FollowingJobEffect { [began] jobs, _ in began.append("followed \(jobs.first)") })
    await store.settled(after: .ask(Job("job", 1)))
    #expect(Set(began.values) == ["restarted job1", "followed job1"])
    await store.settled(after: .ask(Job("job", 2)))
    #expect(Set(began.values.dropFirst(2)) == ["restarted job2", "followed job2"])
  }

  // MARK: E9

  @Test("E9: requests of one hash are different runs")
  func equalHashes() async {
    struct Same: Hashable, Sendable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    let began = Recorder<Int>()
    let store = Store<Set<Int>, Set<Int>>(initialState: [1, 2, 3], on: .immediate) { $0 = $1 }
    store.connect(when: { Set($0.map(Same.init)) }, run: { same, _ in began.append(same.number) })
    await store.settled()
    #expect(began.values.sorted() == [1, 2, 3])
    await store.settled(after: [2, 3, 4])
    #expect(began.values.sorted() == [1, 2, 3, 4])
  }

  @Test("E9: equal requests of two connections, scopes and stores are different runs")
  func separateIdentities() async throws {
    let stores = (0..<2).map { _ in TwoBoardStore(on: .immediate) }
    let scopes = stores.flatMap {
      [
        $0.scope(\.left, action: TwoBoards.Action.left), $0.scope(\.right, action: TwoBoards.Action.right),
      ]
    }
    var connections: [Connection] = []
    for (index, scope) in scopes.enumerated() {
      for copy in 0..<2 {
        connections.append(
          scope.connect(
            JobEffect { [began, ended, gate] _, send in
              began.append("\(index).\(copy)")
              try? await gate.wait()
              ended.append("\(index).\(copy) \(await send(.report("\(index).\(copy)")))")
            }))
      }
      scope.dispatch(.ask("job"))
    }
    try await began.values(atLeast: 8)
    scopes[0].dispatch(.drop("job"))  // both of the first scope
    connections[2].disconnect()  // one of the second
    #expect(Set(try await ended.values(atLeast: 3)) == ["0.0 fenced", "0.1 fenced", "1.0 fenced"])
    gate.open()
    for store in stores { await store.settled() }
    #expect(scopes.map { Set($0.state.log) } == [[], ["1.1"], ["2.0", "2.1"], ["3.0", "3.1"]])
  }

  // MARK: E10

  @Test("E10: a run that is stopped before its body is committed never begins")
  func neverBegins() async throws {
    let store = BoardStore(on: .immediate)
    let observer = EventRecorder(of: store)
    store.connect(
      JobEffect { [began, gate, weak store] job, _ in
        began.append("\(job)")
        let dropNew: @Sendable () -> Void = { [weak store] in store?.dispatch(.drop("new")) }
        // Stops are performed before starts, and a cancellation handler is called while they are: here the new
        // run has been decided and has no task yet.
        await withTaskCancellationHandler {
          try? await gate.wait()
        } onCancel: {
          dropNew()
        }
      })
    try await store.dispatch(.ask("old"), reaching: gate)
    await store.settled(after: .askOnly(["new"]))
    #expect(began.values == ["old"])
    #expect(observer.runs.contains("started #2 new"))
    #expect(observer.runs.contains("ended #2 new"))
  }
}
