import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("What goes on while much is torn down", .blocksThreads, .timeLimit(.minutes(30)))
struct TearDownTests {
  private let crowd = Crowd()
  private let store = CornerStore(Corner(rows: Corner.rows(0..<Crowd.count)), on: .serial)

  /// Connects a body that throws to each row; a failure marks the row and adds to the log.
  private func connect() async throws -> Connection {
    let connection = store.connectRows { [crowd] id, row in
      row.connect(
        when: { $0.wanted.first },
        failure: { (_: Mishap, _: String) in
          Change { corner in
            corner.rows[id: id]?.value += 1
            corner.log.append("\(id) failed")
          }
        },
        run: { _, _ throws(Mishap) in
          await crowd.wait()
          throw Mishap()
        })
    }
    try await crowd.isWaiting()
    return connection
  }

  @Test("L1: of 2,000 elements that one action clears while their bodies throw, no failure is reduced")
  func cleared() async throws {
    _ = try await connect()
    store.change { $0.rows = [] }
    await store.settled()
    #expect(store.state.log.count == 0)
  }

  @Test("L1: failures of elements that are gone do not reach those that have come with the same ids")
  func successors() async throws {
    _ = try await connect()
    store.change { $0.rows = [] }
    store.change { $0.rows = Corner.rows(0..<Crowd.count, wanting: []) }
    await store.settled()
    #expect(store.state.rows.filter { $0.value > 0 }.count == 0)
    #expect(store.state.log.count == 0)
  }

  @Test("E6: after disconnect() of all elements no failure of theirs is reduced")
  func disconnected() async throws {
    let connection = try await connect()
    await onThread { connection.disconnect() }
    await store.settled()
    #expect(store.state.log.count == 0)
  }

  @Test("L1: what elements that were cleared in one action send is fenced, however many they are")
  func sent() async throws {
    let fates = Recorder<Delivery>()
    store.connectRows { [crowd] _, row in
      row.connect(
        PieceEffect { _, send in
          await crowd.wait()
          fates.append(await send(.log("late")))
        })
    }
    try await crowd.isWaiting()
    store.change { $0.rows = [] }
    await store.settled()
    #expect(store.state.log.count == 0)
    #expect(fates.values.filter { $0 == .fenced }.count == Crowd.count)
  }

  /// Has some of the runs return as soon as the first one for a request is stopped.
  private final class Returning: RunHolder {
    private let first: String
    private let choose: @Sendable ([HeldRun]) -> [HeldRun]
    private let begun = Recorder<HeldRun>()
    private let returned = Once()

    init(with first: String, _ choose: @escaping @Sendable ([HeldRun]) -> [HeldRun]) {
      (self.first, self.choose) = (first, choose)
    }

    func connected(_ connection: ConnectionIdentity, _ effect: any Sendable) {}
    func begun(_ run: HeldRun) { begun.append(run) }
    func stopped(_ run: HeldRun) {
      if run.serves(first), returned.isFirst { for run in choose(begun.values) { run.finish() } }
    }
  }

  @Test("a run that returns after its part has ended, and before that is torn down, is disconnected")
  func returned() {
    let endings = Recorder<String>()
    var options = StoreOptions()
    options.seams.holder = Returning(with: "work") { $0 }
    options.seams.witness = { if case .runEnded(_, let ending, _) = $0 { endings.append("\(ending)") } }
    let store = CornerStore(Corner(rows: Corner.rows(0..<1_100)), on: .immediate, options: options)
    store.connectRows { _, row in row.connect(PieceEffect { _, _ in }) }
    store.change { $0.rows = [] }
    #expect(endings.values == Array(repeating: "disconnected", count: 1_100))
  }

  /// One run at a time for each initial: another request with it restarts the run.
  private struct InitialEffect: EffectComponent {
    func id(of wanted: String) -> Character? { wanted.first }
    func requests(in piece: Piece) -> Set<String> { piece.wanted }
    func run(_ wanted: String, send: Send<Change>) async {}
  }

  @Test("L1: a run that waits for a stopped one is not started after its part has ended")
  func waiting() {
    let started = Recorder<Void>()
    var options = StoreOptions()
    // Of a row that is not torn down yet, the run that was stopped before returns.
    options.seams.holder = Returning(with: "b") { runs in
      let other = runs.first { $0.serves("b") && $0.isRunning }
      return runs.filter { $0.parts == other?.parts && $0.serves("a1") }
    }
    options.seams.witness = { if case .runStarted = $0 { started.append(()) } }
    let count = 1_100
    let store = CornerStore(on: .immediate, options: options)
    store.connectRows { _, row in row.connect(InitialEffect()) }
    store.change { $0.rows = Corner.rows(0..<count, wanting: ["a1", "b"]) }
    #expect(started.count == 2 * count)
    store.change { corner in for id in 0..<count { corner.rows[id: id]?.wanted = ["a2", "b"] } }
    store.change { $0.rows.removeAll() }  // ends all at once, and not each
    #expect(started.count == 2 * count)
  }
}
