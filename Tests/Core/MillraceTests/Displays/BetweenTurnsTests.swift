import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What may be seen after a turn has been made and before all that follows from it has been done.
@Suite("Between a turn and what follows from it", .blocksThreads, .timeLimit(.minutes(30)))
struct BetweenTurnsTests {
  @Test("settled() does not return while components are due, whatever holds up their updates")
  func componentsDue() async throws {
    let store = CornerStore(Corner(part: Piece(id: 1)), on: .serial)
    let (component, entered) = (RecordingComponent<Int>(), Recorder<Void>())
    let settled = Signal()
    store.connect(component, to: \.x)
    store.connectPart { part in
      let cargo = OnRelease {
        entered.append(())
        settled.wait()
      }
      part.connect(PieceEffect { _, _ in _ = cargo })
    }
    await store.settled()
    // Lets go of the effect, which takes its time, and changes what the component watches.
    store.change { corner in
      corner.part = nil
      corner.x = 1
    }
    try await entered.values(atLeast: 1)
    await store.settled()
    #expect(component.finished.values == [0, 1])
    settled.give()
    await store.settled()
  }

  @Test("C1: a component is updated while the mailbox is never empty")
  func neverIdle() async throws {
    let (areSent, isShown, isLast) = (Signal(), Signal(), Gate())
    let store = Store(initialState: 0) { (count: inout Int, _: Bool) in
      if count == 0 { areSent.wait() }
      if count == 3_000 { #expect(isShown.wait()) }
      count += 1
    }
    let component = ClosureComponent<Int> { count in
      if count > 0 { isShown.give() }
      if count == 4_000 { isLast.open() }
    }
    store.connect(component, to: \.self)
    for _ in 0..<4_000 { store.dispatch(true) }
    areSent.give()
    // Not settled(): an update whose end is awaited ends between two turns, and the reducer waits within one.
    try await isLast.wait()
  }

  /// Elements are missed one by one in another collection, and all at once in the same one.
  private func clear(_ store: CornerStore, _ isEmptied: Bool) {
    store.change { corner in
      if isEmptied { corner.rows.removeAll() } else { corner.rows = [] }
    }
  }

  @Test(
    "L1: views of many elements that are cleared are not shown what was due, while they are being torn down",
    arguments: [false, true])
  @MainActor func views(isEmptied: Bool) async throws {
    let count = 1_500
    let store = CornerStore(Corner(rows: Corner.rows(0..<count)), on: .serial)
    let (entered, gate, isHeld) = (Signal(), Gate(), Once())
    let shown = Signal()
    let (views, other) = ((0..<count).map { _ in RecordingView() }, RecordingView())
    store.connect(other, to: \.x)
    store.connectRows { id, row in
      row.connect(views[id], to: \.value)
      row.connect(
        PieceEffect { _, _ in
          await withTaskCancellationHandler {
            await gate.waitIgnoringCancellation()
          } onCancel: {
            if !isHeld.isFirst { return }
            entered.give()
            shown.wait()
          }
        })
    }
    try await gate.waiters(atLeast: count)
    try await eventually { (views + [other]).allSatisfy { !$0.received.isEmpty } }
    // The main actor is here until the elements have gone.
    store.dispatchAndWait(
      Change { corner in
        corner.x = 1
        for id in 0..<count { corner.rows[id: id]?.value = 5 }
      })
    clear(store, isEmptied)
    entered.wait()
    // It was due with theirs, and is shown in the same pass.
    try await eventually { other.received == [0, 1] }
    shown.give()
    await store.settled(opening: gate)
    #expect(views.filter { $0.received != [0] }.count == 0)
  }

  @Test(
    "L1: components of many elements that are cleared get nothing that was due, while they are being torn down",
    arguments: [false, true])
  func components(isEmptied: Bool) async throws {
    let count = 500  // with two connections each, more than is torn down at once
    let (gate, first, later) = (Gate(), Recorder<Void>(), Recorder<Int>())
    let (entered, areServed, isHeld) = (Recorder<Void>(), Signal(), Once())
    let store = CornerStore(Corner(rows: Corner.rows(0..<count, wanting: [])), on: .immediate)
    let other = RecordingComponent<Int>()
    store.connect(other, to: \.x)
    store.connectRows { _, row in
      let component = ClosureComponent<Int> { value in
        if value > 0 { return later.append(value) }
        await gate.waitIgnoringCancellation()
        first.append(())
      }
      row.connect(component, to: \.value)
      // Holds up the tearing down, with no lock held, as the first effect is released.
      let cargo = OnRelease {
        if !isHeld.isFirst { return }
        entered.append(())
        areServed.wait()
      }
      row.connect(PieceEffect { _, _ in _ = cargo })
    }
    try await gate.waiters(atLeast: count)
    store.change { corner in
      corner.x = 1
      for id in 0..<count { corner.rows[id: id]?.value = 5 }
    }
    // It gets its value together with the elements, whose updates go on.
    try await eventually { other.finished.values == [0, 1] }
    async let clearing: Void = onOwnThread { clear(store, isEmptied) }
    try await entered.values(atLeast: 1)
    gate.open()
    try await first.values(atLeast: count)
    areServed.give()
    try await clearing
    await store.settled()
    #expect(later.count == 0)
  }
}
