import Millrace
import MillraceCollections
import MillraceFeature
import Testing

/// A feature as a value tells what a store decides.
@Suite struct FeaturePartTests {
  private struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var asked: Int?
  }

  private struct State: Equatable, Sendable {
    var asked: Int?
    var rows: KeyedArray<Row> = []
  }

  private let store = WiringStore<State, Int>(State())
  private var turn = FeatureTurn()

  private func connected() -> FeaturePart {
    let wiring = store.wiring { store in
      store.connect(when: { $0.asked }, named: "own") { _, _ in }
      store.connectEach(\.rows, action: { _, action in action }, named: "rows") { _, row in
        row.connect(when: \.asked, named: "row") { _, _ in }
        row.dispatch(7)
      }
      store.dispatch(1)
      store.dispatch(2)
    }
    return FeaturePart(wiring, FeatureContext(wired: { _ in }))
  }

  private mutating func step(_ part: inout FeaturePart, _ state: State) -> [String] {
    store.look(at: state)
    part = part.sliceChanged(&turn) ?? part
    return decided()
  }

  private mutating func decided() -> [String] {
    turn.takeDecisions().map {
      "\($0.step.rawValue) \($0.connection.name) \($0.request)\($0.endsPart ? " with its part" : "")"
    }
  }

  @Test("a connect function goes on once what it has dispatched is reduced") mutating func goesOn() {
    var part = connected()
    var sent: [Int?] = []
    while part.goesOn(&turn) {
      let taken = turn.takeSent()
      #expect(taken.count < 2)
      sent += taken.map { $0.action as? Int }
    }
    #expect(sent == [1, 2])
  }

  @Test("a copy is a branch, whose runs return by themselves") mutating func aCopyIsABranch() throws {
    var part = connected()
    while part.goesOn(&turn) { _ = turn.takeSent() }
    let decided1 = step(&part, State(asked: 1))
    #expect(decided1 == ["starts own 1"])
    var other = part
    store.look(at: State(asked: 2))
    other = try #require(other.sliceChanged(&turn))
    let decisions = turn.takeDecisions()
    #expect(decisions.map(\.step) == [.stops, .starts])
    let decided2 = step(&other, State(asked: 1))
    #expect(decided2 == ["stops own 2", "waits own 1"])
    other.runReturned(decisions[0].run, &turn)
    let begun = decided()
    #expect(begun == ["starts own 1"])
    let decided3 = step(&part, State(asked: 1))
    #expect(decided3 == [])
    let decided4 = step(&part, State())
    #expect(decided4 == ["stops own 1"])
  }

  @Test("a part that is there again is another one") mutating func aPartIsThereAgain() {
    var part = connected()
    while part.goesOn(&turn) { _ = turn.takeSent() }
    let state = State(rows: [Row(id: 1, asked: 5)])
    let decided5 = step(&part, state)
    #expect(decided5 == ["starts row 5"])
    let sent = turn.takeSent()
    #expect(sent.map { $0.action as? Int } == [7])
    let decided6 = step(&part, State())
    #expect(decided6 == ["stops row 5 with its part"])
    let decided7 = step(&part, state)
    #expect(decided7 == ["starts row 5"])
    let decided8 = step(&part, State(rows: [Row(id: 2, asked: 5), Row(id: 1, asked: 5)]))
    #expect(decided8 == ["starts row 5"])
  }
}
