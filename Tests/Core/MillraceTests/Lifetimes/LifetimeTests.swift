import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Lifetimes by state", .timeLimit(.minutes(10)))
struct LifetimeTests {
  private let store = CornerStore(on: .immediate)
  private let parts = Recorder<PieceStore>()

  @Test("what is connected to an optional slice lives while it is present, in the same turn")
  func presence() async {
    store.connectPart { [parts] part in
      parts.append(part)
      part.connect(PieceEffect { wanted, send in await send(.log(wanted)) })
    }
    #expect(parts.count == 0)
    store.change { $0.part = Piece(id: 1) }
    #expect(parts.count == 1)
    store.change { $0.part?.wanted = ["a"] }
    await store.settled()
    #expect(store.state.log == ["a"])
    store.change { $0.part = nil }
    await store.settled()
    #expect(store.activity.entries.count == 1)
    // A scope of what has gone keeps its last state, and what it sends is fenced.
    #expect(parts.values[0].state.wanted == ["a"])
    #expect(await parts.values[0].send(.log("late")) == .fenced)
    store.change { $0.part = Piece(id: 1) }
    #expect(parts.count == 2)
    #expect(await parts.values[0].send(.log("late")) == .fenced)
    #expect(parts.values[0].state.wanted == ["a"])
    #expect(await parts.values[1].send(.log("in time")) == .reduced)
  }

  @Test("lifetimes nest to any depth and end together") func nesting() async {
    store.connectPart { part in
      part.connect(while: { !$0.wanted.isEmpty }) { $0.connect(when: { Optional($0.value) }) { _, _ in } }
    }
    store.change { $0.part = Piece(id: 1) }
    #expect(store.activity.entries.count == 2)
    store.change { $0.part?.wanted = ["work"] }
    #expect(store.activity.entries.count == 3)
    store.change { $0.part = nil }
    await store.settled()  // bodies that were stopped are listed until they return
    #expect(store.activity.entries.count == 1)
  }

  @Test("a predicate begins and ends what is connected while it holds") func predicate() async {
    let connection = store.connect(while: \.isOpen) { store in
      store.connect(when: { $0.isOpen ? "on" : nil }) { text, send in await send(.log(text)) }
    }
    for (isOpen, log) in [(true, ["on"]), (false, ["on"]), (true, ["on", "on"])] {
      store.change { $0.isOpen = isOpen }
      await store.settled()
      #expect(store.state.log == log)
      #expect(store.activity.entries.count == (isOpen ? 2 : 1))
    }
    connection.disconnect()
    await store.settled()
    #expect(store.activity.entries.isEmpty)
  }

  @Test("C1: a component that a predicate holds beside an effect gets every change of the whole")
  func predicateHoldsBoth() async {
    let store = CornerStore(Corner(isOpen: true), on: .immediate)
    let component = RecordingComponent<Int>()
    store.connect(while: \.isOpen) { store in
      store.connect(when: { $0.x > 100 ? $0.x : nil }, run: { _, _ in })
      store.connect(component, props: \.x)
    }
    for x in 1...3 {
      await store.settled()
      store.change { $0.x = x }
    }
    await store.settled()
    #expect(component.finished.values == [0, 1, 2, 3])
  }

  @Test("an action that ends a part and makes it again is one turn for a lifetime") func reopened() {
    store.connectPart { [parts] in parts.append($0) }
    store.change { $0.part = Piece(id: 1) }
    store.change { corner in
      corner.part = nil
      corner.part = Piece(id: 1)
    }
    #expect(parts.count == 1)
  }
}
