import Millrace
import MillraceTesting
import Testing

@Suite("Work that is under way as the last handle goes", .timeLimit(.minutes(10)))
struct LastHandleTests {
  /// Holds something, and works until the gate opens, whatever happens.
  private final class Worker: Component {
    let gate: Gate
    let cargo: OnRelease

    init(_ gate: Gate, _ cargo: OnRelease) {
      self.gate = gate
      self.cargo = cargo
    }

    func update(_ count: Int) async { await gate.waitIgnoringCancellation() }
  }

  private func connect(_ isRun: Bool, to store: BoardStore, _ gate: Gate, _ cargo: OnRelease) -> Connection {
    if !isRun { return store.connect(Worker(gate, cargo), to: \.count) }
    return store.connect(
      JobEffect { _, _ in
        await gate.waitIgnoringCancellation()
        withExtendedLifetime(cargo) {}
      })
  }

  @Test("E7: what it held is let go of when it has returned", arguments: [true, false], Queue.allCases)
  func released(isRun: Bool, queue: Queue) async throws {
    let (released, gate) = (Recorder<Void>(), Gate())
    for count in 1...20 {
      let store = BoardStore(on: queue)
      _ = connect(isRun, to: store, gate, OnRelease { released.append(()) })
      try await store.dispatch(.ask("job"), reaching: gate, by: count)
    }
    gate.open()
    try await released.values(atLeast: 20)
  }

  @Test("E7: a kept connection or `Send` keeps neither state nor reducer", arguments: [true, false])
  func keptHandles(isImmediate: Bool) async throws {
    struct Held { let cargo: OnRelease }
    let (released, sends, connections) = (Recorder<String>(), Recorder<Send<Int>>(), Recorder<Connection>())
    do {
      let cargo = OnRelease { released.append("reducer") }
      let store = Store(
        initialState: Held(cargo: OnRelease { released.append("state") }),
        on: isImmediate ? .immediate : .serial()
      ) { (_: inout Held, _: Int) in withExtendedLifetime(cargo) {} }
      connections.append(store.connect(when: { _ in Optional(1) }) { _, send in sends.append(send) })
      await store.settled()
    }
    #expect(Set(try await released.values(atLeast: 2)) == ["state", "reducer"])
    #expect(await sends.values[0](1) == .refused)
    connections.values[0].disconnect()
    await connections.values[0].finished()
  }

  @Test("L3: `finished()` waits for it, also after the store", arguments: [true, false], Queue.allCases)
  func finished(isRun: Bool, queue: Queue) async throws {
    let (gate, order) = (Gate(), Recorder<String>())
    var store: BoardStore? = BoardStore(on: queue)
    let connection = store.map { connect(isRun, to: $0, gate, OnRelease { order.append("released") }) }
    store?.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 1)
    store = nil
    let waiting = Task {
      await connection?.finished()
      order.append("finished")
    }
    // The wait begins while the work is under way, which it alone ends.
    let early = Task { await connection?.finished() }
    early.cancel()
    order.append("opened")
    gate.open()
    await waiting.value
    await early.value
    #expect(order.values.first == "opened")
    #expect(order.values.contains("finished"))
    try await order.values(atLeast: 3)
  }
}
