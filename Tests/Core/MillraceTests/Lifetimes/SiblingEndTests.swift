import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What ends others that are to be asked after it, in the same turn.
@Suite("Functions that end what is asked after them", .timeLimit(.minutes(10)))
struct SiblingEndTests {
  private let store = CornerStore(on: .immediate)
  private let first = Late<Connection>()
  private let second = Late<Connection>()
  /// One entry for each time that somebody was asked once there was something to end.
  private let asked = Recorder<Void>()

  /// Whoever is asked first ends both.
  private func endBoth() {
    asked.append(())
    first.value?.disconnect()
    second.value?.disconnect()
  }

  private struct EndingEffect<State: Equatable & Sendable>: EffectComponent {
    typealias Action = Change
    let act: @Sendable (State) -> Void
    func requests(in state: State) -> Set<Int> {
      act(state)
      return []
    }
    func run(_ request: Int, send: Send<Change>) async {}
  }

  @Test("E6: an effect that another one ends is not asked any more") func effects() async {
    let effect = EndingEffect<Int> { if $0 > 0 { endBoth() } }
    first.value = store.connect(effect, to: \.x)
    second.value = store.connect(effect, to: \.x)
    store.change { $0.x = 1 }
    #expect(asked.count == 1)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("L1: an effect whose part another one ends is not asked any more") func part() async {
    let effect = EndingEffect<Piece> { if !$0.wanted.isEmpty { endBoth() } }
    first.value = store.connectPart { part in
      part.connect(effect)
      part.connect(effect)
    }
    store.change { $0.part = Piece(id: 1) }
    #expect(asked.count == 0)
    store.change { $0.part?.wanted = ["work"] }
    #expect(asked.count == 1)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("L1: nobody looks for a state in a part that another one ends") func awaited() async throws {
    let part = Late<PieceStore>()
    first.value = store.connectPart { part.value = $0 }
    store.change { $0.part = Piece(id: 1) }
    let waits = (0..<2).map { _ in
      Task {
        await part.value?.first { piece in
          if !piece.wanted.isEmpty { endBoth() }
          return false
        }
      }
    }
    try await eventually { store.activity.entries.count >= 3 }
    store.change { $0.part?.wanted = ["work"] }
    #expect(asked.count == 1)
    for wait in waits { #expect(await wait.value == nil) }
    #expect(store.activity.entries.isEmpty)
  }

  @Test("L2: a predicate whose connection another one ends is not asked any more") func predicates() async {
    let isWanted: @Sendable (Corner) -> Bool = { corner in
      if corner.x > 0 { endBoth() }
      return true
    }
    first.value = store.connect(while: isWanted) { _ in }
    second.value = store.connect(while: isWanted) { _ in }
    store.change { $0.x = 1 }
    #expect(asked.count == 1)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("L1: a closure of an effect that another one ends is not asked any more") func closures() async {
    let request: @Sendable (Corner) -> Int? = { corner in
      if corner.x > 0 { endBoth() }
      return nil
    }
    first.value = store.connect(when: request) { (_: Int, _: Send<Change>) in }
    second.value = store.connect(when: request) { (_: Int, _: Send<Change>) in }
    store.change { $0.x = 1 }
    #expect(asked.count == 1)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("L1: the props of a row are not asked for once those of another one have ended the rows' part")
  func rows() {
    first.value = store.connect(while: \.isOpen) { store in
      store.connectRows { _, row in
        row.connect(
          RecordingComponent<Int>(),
          props: { piece in
            if piece.value > 0 { endBoth() }
            return piece.value
          })
      }
    }
    store.change { corner in
      corner.isOpen = true
      corner.rows = Corner.rows(0..<2)
    }
    store.change { corner in for id in 0..<2 { corner.rows[id: id]?.value = 1 } }
    #expect(asked.count == 1)
    #expect(store.activity.entries.isEmpty)
  }

  private enum Selector: CaseIterable, Sendable { case props, request, scope, part }

  @Test("L1: no selector in a part is called once another has ended the part", arguments: Selector.allCases)
  private func selectors(kind: Selector) {
    first.value = store.connect(while: \.isOpen) { store in
      let number: @Sendable (Corner) -> Int = { corner in
        if corner.x > 0 { endBoth() }
        return corner.x
      }
      for _ in 0..<2 {
        switch kind {
        case .props: store.connect(RecordingComponent<Int>(), props: number)
        case .request: store.connect(when: { number($0) < 0 ? 1 : nil }) { (_: Int, _: Send<Change>) in }
        case .scope: store.scope(computed: number).connect(NumberEffect())
        case .part:
          store.connect(while: { !$0.rows.isEmpty }) { $0.connect(RecordingComponent<Int>(), props: number) }
        }
      }
    }
    store.change { corner in
      corner.isOpen = true
      corner.rows = Corner.rows(0..<1)
    }
    store.change { $0.x = 1 }
    #expect(asked.count == 1)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("E7: an effect that its own selector ends as it is connected is let go of") func released() async {
    let gone = Recorder<Void>()
    store.connectPart { [first] part in
      let cargo = OnRelease { gone.append(()) }
      // Connected at the end of the turn: by then its connection is known.
      first.value = part.connect(
        when: { (_: Piece) -> Int? in
          first.value?.disconnect()
          return 1
        }, run: { (_: Int, _: Send<Change>) in withExtendedLifetime(cargo) {} })
    }
    store.change { $0.part = Piece(id: 1) }
    await first.value?.finished()
    #expect(gone.count == 1)
    #expect(store.activity.entries.count == 1)
  }

  @Test("E7: an effect that ends before it is connected is let go of, and nothing waits for it")
  func pending() async {
    let gone = Recorder<Void>()
    store.connectPart { [first] part in
      let cargo = OnRelease { gone.append(()) }
      let connection = part.connect(
        when: \.wanted.first, run: { (_: String, _: Send<Change>) in withExtendedLifetime(cargo) {} })
      connection.disconnect()
      first.value = connection
    }
    store.change { $0.part = Piece(id: 1, wanted: ["work"]) }
    await first.value?.finished()
    #expect(gone.count == 1)
    #expect(await store.shutdown().unfinished.isEmpty)
    #expect(!store.isEnding)
  }
}
