import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Closures of lifetimes that end their own connection", .timeLimit(.minutes(10)))
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

  @Test("L2: what a part's closure connects before and after it ends its own connection ends with it")
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

  @Test("L2: a selector that ends its own connection as it is connected: observers hear of both, in order")
  func selector() async {
    let observer = EventRecorder(of: store)
    store.connectPart { [own] part in
      // Connected at the end of the turn: by then its connection is known.
      own.value = part.connect(
        when: { (_: Piece) -> Int? in
          own.value?.disconnect()
          return 1
        }, named: "own", run: { _, send in await send(.log("run")) })
    }
    store.change { $0.part = Piece(id: 1, wanted: []) }
    await own.value?.finished()
    await store.settled()
    #expect(observer.lines.filter { $0.contains("own") } == ["connected own", "disconnected own"])
    #expect(store.state.log == [])
  }

  @Test("E7: a selector that ends its own connection as it is connected leaves no slice")
  func selectorLeavesNothing() {
    let before = store.sliceCount
    let lifetime = store.connect(while: \.isOpen) { [weak store, own] _ in
      own.value = store?.connect(
        RecordingComponent<Int>(),
        props: { corner in
          own.value?.disconnect()
          return corner.x
        })
    }
    store.change { $0.isOpen = true }
    lifetime.disconnect()
    #expect(store.sliceCount == before)
  }

  @Test("L2: the closure of a predicate that ends its own connection: observers hear of both, in order")
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

  @Test("L2: the closure of an element that ends its own connection: no further element begins")
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

  @Test("L2: no lifetime begins where finding its part ends the connection")
  func finding() async {
    let begun = Recorder<Int>()
    let part: @Sendable (Corner) -> Piece? = { [own] corner in
      if corner.part != nil { own.value?.disconnect() }
      return corner.part
    }
    own.value = store.connectIfPresent(computed: part, action: \Change.self) { _ in
      begun.append(1)
    }
    store.change { $0.part = Piece(id: 1) }
    await store.settled()
    #expect(begun.count == 0)
    #expect(store.activity.entries.isEmpty)
  }

  /// Ends its own connection while it is asked, or while it tells identities.
  private struct EndingEffect: EffectComponent {
    typealias Action = Change
    let own: Late<Connection>
    let began: Recorder<String>
    let isAsked: Bool
    func requests(in corner: Corner) -> Set<Int> {
      if isAsked, corner.x > 0 { own.value?.disconnect() }
      return corner.x > 0 ? [corner.x] : []
    }
    func id(of number: Int) -> Int {
      if !isAsked { own.value?.disconnect() }
      return number
    }
    func run(_ number: Int, send: Send<Change>) async { began.append("run \(number)") }
  }

  @Test(
    "E10: no run begins where asking, or telling an identity, ends the connection",
    arguments: [true, false])
  func asking(isAsked: Bool) async {
    own.value = store.connect(EndingEffect(own: own, began: began, isAsked: isAsked))
    store.change { $0.x = 1 }
    await own.value?.finished()
    await nothingRan()
  }

  @Test("C4: what a selector disconnects is looked at no more, and leaves no slice behind")
  func selecting() async {
    own.value = store.connect(RecordingComponent<Int>(), to: \.x)
    store.connect(
      when: { [own] corner in
        if corner.isOpen { own.value?.disconnect() }
        return corner.log.first
      }, run: { (_: String, _) in })
    await store.settled()
    #expect(store.sliceCount == 2)  // the selector's, too
    store.change { $0.isOpen = true }
    #expect(store.sliceCount == 1)
    await own.value?.finished()
  }
}
