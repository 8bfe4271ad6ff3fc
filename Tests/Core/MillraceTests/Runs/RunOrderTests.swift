import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Has one run at a time, whatever it is that a piece wants.
private struct SerialEffect: EffectComponent {
  typealias Action = Change
  let body: @Sendable (String, Send<Change>) async -> Void
  func id(of wanted: String) -> Int { 0 }
  func requests(in piece: Piece) -> Set<String> { piece.wanted }
  func run(_ wanted: String, send: Send<Change>) async { await body(wanted, send) }
}

@Suite("Which runs begin, and after what", .timeLimit(.minutes(30)))
struct RunOrderTests {
  private let gate = Gate()
  private let began = Recorder<String>()

  private var effect: SerialEffect {
    SerialEffect { [gate, began] wanted, _ in
      began.append(wanted)
      await gate.waitIgnoringCancellation()
    }
  }

  @Test("E10: a run that waits for another never begins once its part has ended", arguments: Queue.allCases)
  func partEnded(queue: Queue) async throws {
    let store = CornerStore(Corner(part: Piece(id: 1, wanted: ["first"])), on: queue)
    store.connectPart { [effect] part in part.connect(effect) }
    try await gate.waiters(atLeast: 1)
    await store.send(Change { $0.part?.wanted = ["second"] })
    await store.send(Change { $0.part = nil })
    await store.settled(opening: gate)
    #expect(began.values == ["first"])
  }

  @Test("E10: waiting runs of cleared elements never begin while these are being torn down", .blocksThreads)
  func cleared() async throws {
    let crowd = Crowd()
    let store = CornerStore(Corner(rows: Corner.rows(0..<Crowd.count, wanting: ["first"])), on: .serial)
    let second = Recorder<Void>()
    store.connectRows { _, row in
      // One that holds up the tearing down, and one whose second run waits for the first.
      row.connect(
        when: { _ in Optional(1) }, action: { (change: Change) in change },
        run: { (_: Int, _) in await crowd.wait() })
      row.connect(
        SerialEffect { wanted, _ in
          if wanted == "first" { await crowd.continues.waitIgnoringCancellation() } else { second.append(()) }
        })
    }
    try await crowd.isWaiting()
    try await crowd.continues.waiters(atLeast: Crowd.count)
    // The second run of each waits for the first one, which is stopped and does not return.
    await store.send(Change { $0.rows = Corner.rows(0..<Crowd.count, wanting: ["second"]) })
    store.change { $0.rows = [] }
    await store.settled()
    #expect(second.count == 0)
  }

  @Test(
    "E10: a waiting run never begins after a disconnect, a shutdown or the last handle",
    arguments: [0, 1, 2])
  func ended(by way: Int) async throws {
    var store: CornerStore? = CornerStore(Corner(part: Piece(id: 1, wanted: ["first"])), on: .serial)
    let released = Recorder<Void>()
    let cargo = OnRelease { released.append(()) }
    let connection = store?.connectPart { [effect] part in
      _ = cargo
      part.connect(effect)
    }
    try await gate.waiters(atLeast: 1)
    await store?.send(Change { $0.part?.wanted = ["second"] })
    switch way {
    case 0: connection?.disconnect()
    case 1: await store?.shutdown(hard: .zero)
    default: store = nil
    }
    gate.open()
    if let store {
      await store.settled()
    } else {
      try await inTime { await connection?.finished() }
    }
    #expect(began.values == ["first"])
  }

  @Test("E1: when a body begins, what the same action stopped has been cancelled")
  func stopsFirst() async throws {
    let store = BoardStore(on: .serial)
    let (cancelled, began) = (Recorder<Void>(), Recorder<Bool>())
    store.connect(
      JobEffect { [gate] job, _ in
        if job == "stopped" {
          await withTaskCancellationHandler {
            await gate.waitIgnoringCancellation()
          } onCancel: {
            cancelled.append(())
          }
        } else {
          began.append(cancelled.count > 0)
        }
      })
    try await store.dispatch(.ask("stopped"), reaching: gate)
    // So many that the first of them would begin before the last is started.
    let jobs = Set((0..<10_000).map { Job("\($0)") })
    await onThread { store.dispatchAndWait(.askOnly(jobs)) }
    try await cancelled.values(atLeast: 1)
    await store.settled(opening: gate)
    #expect(began.count == jobs.count && !began.values.contains(false))
  }

  @Test("E1: an observer is told of what an action stops before it is told of what it starts")
  func stopsTold() async throws {
    let store = BoardStore(on: .serial)
    let observer = EventRecorder(of: store)
    store.connect(JobEffect { [gate] _, _ in await gate.waitIgnoringCancellation() })
    for round in 0..<20 { await store.send(.askOnly([Job("a\(round)"), Job("b\(round)")])) }
    await store.settled(opening: gate)
    let reported = observer.runs.filter { $0.hasPrefix("cancelled") || $0.hasPrefix("started") }
    let turns = (1..<20).map { round in
      reported[(4 * round - 2)..<(4 * round + 2)].map { $0.hasPrefix("cancelled") }
    }
    #expect(turns.filter { $0 != [true, true, false, false] }.count == 0)
  }
}
