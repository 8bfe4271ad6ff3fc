import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("What is counted, told and accepted at the ends", .timeLimit(.minutes(10)))
struct AccountTests {
  @Test("E5: the action of a failure is told to actions(), also of its part", arguments: Queue.allCases)
  func failureTold(queue: Queue) async {
    let store = CornerStore(Corner(part: Piece(id: 1, wanted: ["work"])), on: queue)
    let reported = Recorder<[String]>()
    let actions = store.actions().makeAsyncIterator()
    let observer = Late<Connection>()
    store.connectPart { part in
      observer.value = part.onAction { change, _ in
        var corner = Corner()
        change.apply(&corner)
        reported.append(corner.log)
      }
      part.connect(PieceEffect(throwing: Mishap.self) { _, _ throws(Mishap) in throw Mishap() })
    }
    await store.settled()
    #expect(store.state.log == ["work failed"])
    await store.shutdown()
    #expect(await actions.next()?.state.log == ["work failed"])
    #expect(await actions.next() == nil)
    #expect(reported.values == [["work failed"]])
  }

  @Test("E7: no lifetime begins, and no run, once the last handle has gone; what was accepted is reduced")
  func lastHandle() async throws {
    let hold = Hold()
    let (begun, reduced, ended) = (Recorder<String>(), Recorder<Int>(), Recorder<Void>())
    let handle = Late<CornerStore>()
    handle.value = CornerStore(initialState: Corner(), on: Hold.queue) { corner, change in
      change.apply(&corner)
      reduced.append(corner.x)
    }
    handle.value?.connectPart { [cargo = OnRelease { ended.append(()) }] _ in
      begun.append("part")
      withExtendedLifetime(cargo) {}
    }
    handle.value?.connectRows { id, _ in begun.append("row \(id)") }
    handle.value?.connect(while: \.isOpen) { _ in begun.append("open") }
    handle.value?.connect(NumberEffect { _, _ in begun.append("run") }, to: \.x)
    await handle.value?.settled()
    // The handle goes while the next change waits in the mailbox.
    handle.value?.change { _ in
      hold.stay()
      handle.value = nil
    }
    try await hold.isHeld()
    handle.value?.change { corner in
      corner = Corner(x: 1, isOpen: true, part: Piece(id: 1), rows: Corner.rows(0..<3))
    }
    hold.letGo()
    try await ended.values(atLeast: 1)
    #expect(reduced.values == [0, 1])
    #expect(begun.values == [])
  }

  @Test("settled() returns only when every component has got the last props", arguments: [1, 100, 1_000])
  func componentsDue(count: Int) async {
    let store = BoardStore(on: .serial)
    let components = (0..<count).map { _ in RecordingComponent<Int>() }
    for component in components { store.connect(component, to: \.count) }
    for round in 1...20 {
      await store.settled(after: .add(1))
      #expect(components.filter { $0.finished.values.last != round }.count == 0)
    }
  }
}
