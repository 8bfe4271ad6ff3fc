import Millrace
import MillraceTesting
import Testing

@Suite("Closures of lifetimes that end their own connection")
struct SelfEndingTests {
  private let store = CornerStore(on: .immediate)
  private let own = Late<Connection>()
  private let began = Recorder<String>()

  private var effect: PieceEffect<Never> {
    PieceEffect { [began] wanted, send in
      began.append(wanted)
      await send(.log(wanted))
    }
  }

  /// Nothing that the closure connected has begun, and nothing of it is left.
  private func nothingRan() async {
    await store.settled()
    #expect(began.count == 0)
    #expect(store.state.log == [])
    #expect(store.activity.entries.isEmpty)
  }

  @Test(
    "L2: what the closure of a part connects before and after it ends its own connection is ended with it")
  func part() async {
    own.value = store.connectPart { [own, effect] part in
      part.connect(effect)
      own.value?.disconnect()
      part.connect(effect)
    }
    store.change { $0.part = Piece(id: 1, wanted: ["work"]) }
    await own.value?.finished()
    await nothingRan()
  }

  @Test("L2: so with the closure of a predicate")
  func predicate() async {
    own.value = store.connect(while: \.isOpen) { [own, began] store in
      store.connect(
        when: { Optional($0.x) },
        run: { _, send in
          began.append("run")
          await send(.log("run"))
        })
      own.value?.disconnect()
    }
    store.change { $0.isOpen = true }
    await nothingRan()
  }

  @Test("L2: so with the closure of an element, and no further element begins")
  func element() async {
    let begun = Recorder<Int>()
    own.value = store.connectRows { [own, effect] id, row in
      begun.append(id)
      row.connect(effect)
      own.value?.disconnect()
    }
    store.change { $0.rows = Corner.rows(0..<3) }
    #expect(begun.count == 1)
    await nothingRan()
  }

  @Test("L2: what is sent through the store of a part whose closure has ended its connection is fenced")
  func fenced() async {
    let handed = Late<PieceStore>()
    own.value = store.connectPart { [own] part in
      handed.value = part
      own.value?.disconnect()
    }
    store.change { $0.part = Piece(id: 1) }
    #expect(await handed.value?.send(.log("late")) == .fenced)
    #expect(store.state.log == [])
  }

  @Test("L3: a shutdown knows what such a closure connected: nothing of it begins", arguments: Queue.allCases)
  func shutdown(queue: Queue) async {
    let store = CornerStore(on: queue)
    own.value = store.connectPart { [own, effect] part in
      own.value?.disconnect()
      part.connect(effect)
    }
    store.change { $0.part = Piece(id: 1, wanted: ["work"]) }
    #expect(await store.shutdown().isClean)
    #expect(began.count == 0)
  }

  @Test("L2: a closure ends another lifetime that is to begin in the same turn, which does not begin then")
  func another() {
    let begun = Recorder<String>()
    let other = Late<Connection>()
    store.connectPart { _ in
      begun.append("part")
      other.value?.disconnect()
    }
    other.value = store.connectRows { id, _ in begun.append("row \(id)") }
    store.change { corner in
      corner.part = Piece(id: 1)
      corner.rows = Corner.rows(0..<1)
    }
    let seen = begun.values
    store.change { $0.rows = Corner.rows(0..<2) }
    #expect(begun.values == seen)
    #expect(begun.values.contains("part"))
  }
}
