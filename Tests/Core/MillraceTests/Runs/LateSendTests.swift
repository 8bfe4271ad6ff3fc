import Millrace
import MillraceTesting
import Testing

#if DEBUG
@Suite("A send after the return of its run", .timeLimit(.minutes(10)))
struct LateSendTests {
  private let reports = Recorder<StoreDiagnostic>()
  private let fates = Recorder<Delivery>()
  private let gate = Gate()

  private func makeStore(on queue: Queue) -> BoardStore {
    let diagnostics = StoreDiagnostics.mistakes { [reports] in reports.append($0) }
    return BoardStore(on: queue, options: StoreOptions(name: "Office", diagnostics: diagnostics))
  }

  /// Starts a task that nobody awaits and that sends once the gate is open, whatever happens to its run.
  private func connect(to store: BoardStore) {
    store.connect(
      JobEffect { [fates, gate] job, send in
        Task.detached {
          await gate.waitIgnoringCancellation()
          fates.append(await send(.report("\(job)"), fileID: "Office/Late.swift", line: 7))
        }
        if job.value == 1 { await gate.waitIgnoringCancellation() }
      })
  }

  @Test("a send after the return is reported with its place, effect and action", arguments: Queue.allCases)
  func reported(queue: Queue) async throws {
    let store = makeStore(on: queue)
    connect(to: store)
    await store.settled(after: .ask("job"))
    gate.open()
    #expect(try await fates.values(atLeast: 1) == [.fenced])
    let report = try #require(try await reports.values(atLeast: 1).first)
    #expect(report.kind == .sendAfterReturn)
    #expect(
      "\(report)" == """
        Office/Late.swift:7: Board.Action.report was sent by a run of JobEffect in Office that had \
        returned, and is dropped; a run awaits every task that sends for it
        """)
    await store.settled()
    #expect(reports.count == 1)
    #expect(store.state.log.isEmpty)
  }

  @Test("a send of a stopped run is not reported", arguments: Queue.allCases)
  func stopped(queue: Queue) async throws {
    let store = makeStore(on: queue)
    connect(to: store)
    let jobs = Set((0..<50).map { Job("job \($0)", 1) })
    try await store.dispatch(.askOnly(jobs), reaching: gate, by: 2 * jobs.count)
    await store.send(.askOnly([]))
    gate.open()
    #expect(try await fates.values(atLeast: jobs.count).allSatisfy { $0 == .fenced })
    await store.settled()
    // A mistake that is made after all of these is reported, and alone.
    gate.close()
    await store.settled(after: .askOnly(["late"]))
    gate.open()
    _ = try await reports.values(atLeast: 1)
    #expect(try await fates.values(atLeast: jobs.count + 1).count == jobs.count + 1)
    #expect(reports.count == 1)
  }

  @Test("what was sent before the return is admitted and not reported, however close the two are")
  func close() async throws {
    let store = makeStore(on: .serial)
    let awaited = Recorder<Delivery>()
    store.connect(
      JobEffect { [fates] _, send in
        Task.detached { fates.append(await send(.add(1))) }
        await withTaskGroup { group in
          for _ in 0..<3 { group.addTask { awaited.append(await send(.add(1))) } }
        }
      })
    let count = 300
    store.dispatch(.askOnly(Set((0..<count).map { Job("job \($0)") })))
    let racing = try await fates.values(atLeast: count)
    await store.settled()
    #expect(awaited.count == 3 * count)
    #expect(awaited.values.allSatisfy { $0 == .reduced })
    let late = racing.count { $0 == .fenced }
    #expect(try await reports.values(atLeast: late).count == late)
    #expect(store.state.count == 4 * count - late)
  }
}
#endif

@Suite("A send that waits beside the return of its run", .timeLimit(.minutes(10)))
struct LateReturnTests {
  private enum Action: Sendable {
    case ask
    case hold(Hold)
    case pause
    case late
  }

  @Test("E3: what a run sends after it has returned is fenced, also if both wait for the same turn")
  func sameHolding() async throws {
    let reports = Recorder<StoreDiagnostic.Kind>()
    let options = StoreOptions(diagnostics: .mistakes { reports.append($0.kind) })
    let store = Store<[String], Action>(initialState: [], on: Hold.queue, options: options) { state, action in
      switch action {
      case .ask: state.append("asked")
      case .hold(let hold): hold.stay()
      case .pause: break
      case .late: state.append("late")
      }
    }
    let (returns, sends, first, second) = (Gate(), Gate(), Hold(), Hold())
    let fates = Recorder<Delivery>()
    let run = { @Sendable (_: Int, send: Send<Action>) async in
      Task.detached {
        await sends.waitIgnoringCancellation()
        fates.append(await send(.late))
      }
      await returns.waitIgnoringCancellation()
    }
    store.connect(when: { $0.isEmpty ? nil : 1 }, run: run)
    try await store.dispatch(.ask, reaching: returns)
    // A sender is to be answered, so no other turn is made together with this one.
    async let answer = store.send(.hold(first))
    try await first.isHeld()
    // The reducer is held again in the third of the turns that are made together, after which no clock is asked.
    for action in [Action.pause, .pause, .hold(second)] { store.dispatch(action) }
    first.letGo()
    #expect(await answer == .reduced)
    try await second.isHeld()
    returns.open()
    try await store.mailboxHolds(1)
    sends.open()
    try await store.mailboxHolds(2)
    second.letGo()
    #expect(try await fates.values(atLeast: 1) == [.fenced])
    await store.settled()
    #expect(store.state == ["asked"])
    #if DEBUG
    #expect(try await reports.values(atLeast: 1) == [.sendAfterReturn])
    #endif
  }
}
