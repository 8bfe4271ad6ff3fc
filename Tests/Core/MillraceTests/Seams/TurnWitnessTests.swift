import Dispatch
import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("A witness sees what a store does, in its turns")
struct TurnWitnessTests {
  private final class Witness: TurnWitness {
    let seen = Recorder<String>()
    func began(_ store: WitnessedStore<Int, Int>) {
      let moment = store.moment
      seen.append(
        "began \(store.state!) after \(moment.sequence), connected \(moment.connections.map(\.identity.name)), "
          + "running \(moment.runs.map { "\($0.identity) by \($0.startedBy ?? 0)" })")
    }
    func reduced(_ action: Int, _ turn: WitnessedTurn, _ store: WitnessedStore<Int, Int>) {
      let run = turn.run.map { " of run \($0.generation) by \($0.startedBy ?? 0)" } ?? ""
      seen.append("reduced \(action) to \(store.state!), as \(turn.sequence)\(run)")
    }
    func happened(_ event: StoreEvent.Kind, _ store: WitnessedStore<Int, Int>) {
      switch event {
      case .willReduce, .didReduce: seen.append("told twice")
      case .runStarted(let run, _): seen.append("started \(run.request)")
      case .runEnded(let run, let ending, _): seen.append("ended \(run.request), \(ending)")
      case .runReturned(let run, _): seen.append("returned \(run.request)")
      default: break
      }
    }
    func waits(_ wait: WitnessedWait) {
      seen.append(wait.reason.map { "waits for \($0())" } ?? "waits no more")
    }
    func reported(_ diagnostic: StoreDiagnostic) { seen.append("reported \(diagnostic.kind)") }
    func ended(_ store: WitnessedStore<Int, Int>) { seen.append("ended") }
  }

  private static let asked = { @Sendable (state: Int) -> Int? in state > 0 ? state : nil }

  private func store() -> Store<Int, Int> {
    Store(initialState: 0, on: .immediate) { (state: inout Int, action: Int) in state = action }
  }

  @Test("actions with their cause, and decisions in their order")
  func order() async throws {
    let store = store()
    let witness = Witness()
    let connection = try #require(
      store.connect(witness: witness, named: "witness", fileID: #fileID, line: #line))
    store.connect(when: Self.asked, named: "work") { request, send in await send(request - 1) }
    await store.settled(after: 1)
    for _ in 0..<2 { store.dispatch(0) }
    connection.disconnect()
    store.dispatch(0)
    #expect(
      witness.seen.values == [
        "began 0 after 0, connected [], running []", "reduced 1 to 1, as 1", "started 1",
        "reduced 0 to 0, as 2 of run 1 by 1", "ended 1, answered by its action 2", "returned 1",
        "reduced 0 to 0, as 3", "reduced 0 to 0, as 4", "ended",
      ])
  }

  @Test("of several witnesses each hears what happens until its own end", arguments: 0..<3)
  func several(first: Int) throws {
    let store = store()
    let witnesses = (0..<3).map { _ in Witness() }
    let connections = try witnesses.map {
      try #require(store.connect(witness: $0, named: "witness", fileID: #fileID, line: #line))
    }
    store.dispatch(1)
    connections[first].disconnect()
    store.dispatch(2)
    for (index, witness) in witnesses.enumerated() {
      let reduced = witness.seen.values.filter { $0.hasPrefix("reduced") }
      #expect(reduced.count == (index == first ? 1 : 2))
    }
    for connection in connections { connection.disconnect() }
    store.dispatch(3)
    #expect(witnesses.flatMap(\.seen.values).count { $0.hasPrefix("reduced 3") } == 0)
  }

  @Test("what runs and is connected when it comes late, and what runs wait for")
  func late() async throws {
    let store = store()
    // Waits at no gate: that wait could be told late, before anything else.
    let (begun, goOn) = (Recorder<Void>(), Recorder<Void>())
    store.connect(when: Self.asked, named: "work") { _, _ in
      begun.append(())
      _ = try? await goOn.values(atLeast: 1)
      await withWaitReason("the till") {}
    }
    store.dispatch(5)
    try await begun.values(atLeast: 1)
    let witness = Witness()
    _ = try #require(store.connect(witness: witness, named: "witness", fileID: #fileID, line: #line))
    goOn.append(())
    await store.settled()
    #expect(
      witness.seen.values.first
        == "began 5 after 1, connected [\"work\"], running [\"work #1 (5) by 1\"]")
    #expect(witness.seen.values.contains("waits for the till"))
    #expect(witness.seen.values.last == "ended 5, finished")
  }

  /// Begins to work as it ends, as a recording does that writes the last lines.
  private final class LateWriter: TurnWitness {
    let (begun, writing) = (Recorder<Void>(), DispatchSemaphore(value: 0))

    func ended(_ store: WitnessedStore<Int, Int>) {
      let write: @Sendable () -> Void = { [self] in
        begun.append(())
        writing.wait()
      }
      store.work(on: DispatchQueue(label: "writer"), after: 0, write) { true }
    }

    func began(_ store: WitnessedStore<Int, Int>) {}
    func reduced(_ action: Int, _ turn: WitnessedTurn, _ store: WitnessedStore<Int, Int>) {}
    func happened(_ event: StoreEvent.Kind, _ store: WitnessedStore<Int, Int>) {}
    func waits(_ wait: WitnessedWait) {}
    func reported(_ diagnostic: StoreDiagnostic) {}
  }

  @Test("L3: work that begins as its connection ends is named by a shutdown that does not wait for it")
  func lateWork() async throws {
    let store = Store(initialState: 0) { (state: inout Int, action: Int) in state = action }
    let (writer, clock) = (LateWriter(), TestClock())
    _ = try #require(store.connect(witness: writer, named: "writer", fileID: #fileID, line: #line))
    await store.send(1)
    let ending = Task { await store.shutdown(hard: .seconds(1), clock: clock) }
    try await writer.begun.values(atLeast: 1)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(await ending.value.unfinished.map(\.connection.name) == ["writer"])
    writer.writing.signal()
    #expect(await store.shutdown().unfinished.isEmpty)
  }

  @Test("a scope has none, and observers beside one see reductions as before")
  func others() async throws {
    let store = store()
    let witness = Witness()
    #expect(
      store.scope(\.self).connect(witness: witness, named: "witness", fileID: #fileID, line: #line) == nil)
    _ = try #require(store.connect(witness: witness, named: "witness", fileID: #fileID, line: #line))
    let log = EventRecorder(of: store)
    await store.settled(after: 1)
    #expect(
      log.events.values.filter { if case .didReduce = $0.kind { true } else { false } }.count == 1)
    #expect(witness.seen.values.contains("told twice") == false)
  }
}
