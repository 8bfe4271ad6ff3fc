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

  /// Has every run return as soon as the first one is stopped.
  private final class Returning: RunHolder {
    private let begun = Recorder<HeldRun>()
    private let returned = Once()
    func connected(_ connection: ConnectionIdentity, _ effect: any Sendable) {}
    func begun(_ run: HeldRun) { begun.append(run) }
    func stopped(_ run: HeldRun) {
      if returned.isFirst { for run in begun.values { run.finish() } }
    }
  }

  @Test("a run that returns after its part has ended, and before that is torn down, is disconnected")
  func returned() {
    let endings = Recorder<String>()
    var options = StoreOptions()
    options.seams.holder = Returning()
    options.seams.witness = { if case .runEnded(_, let ending, _) = $0 { endings.append("\(ending)") } }
    let store = CornerStore(Corner(rows: Corner.rows(0..<1_100)), on: .immediate, options: options)
    store.connectRows { _, row in row.connect(PieceEffect { _, _ in }) }
    store.change { $0.rows = [] }
    #expect(endings.values == Array(repeating: "disconnected", count: 1_100))
  }
}
