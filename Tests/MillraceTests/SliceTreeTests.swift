import MillraceTesting
import Testing

@testable import Millrace

@Suite("Short lists")
struct ShortListTests {
  @Test(
    "holds what an array would, after any appending and removing by swapping",
    arguments: 1...20 as ClosedRange<UInt64>)
  func asArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var list = ShortList<Int>()
    var array: [Int] = []
    for number in 0..<200 {
      if array.isEmpty || random.next() % 5 < 3 {
        list.append(number)
        array.append(number)
      } else {
        let index = Int(random.next() % UInt64(array.count))
        array.swapAt(index, array.count - 1)
        array.removeLast()
        #expect(list.removeBySwapping(at: index) == (index < array.count ? array[index] : nil))
      }
      #expect(Array(list) == array)
      #expect(array.indices.map { list[$0] } == array)
      #expect(list.count == array.count)
      #expect(list.isEmpty == array.isEmpty)
      #expect(list.last == array.last)
    }
    for index in array.indices { list[index] += 1 }
    #expect(Array(list) == array.map { $0 + 1 })
  }
}

@Suite("The tree of watched slices")
struct SliceTreeTests {
  private struct Board: Equatable, Sendable {
    var cells = Array(repeating: 0, count: 20)
    var vector = SIMD8<Double>(repeating: 1)
    var vectors = KeyedArray<Vector>()
    var chosen: SIMD8<Double>?
  }

  /// Aligned to 64 bytes.
  private struct Vector: Identifiable, Equatable, Sendable {
    let id: Int
    var value: SIMD8<Double>
  }

  private enum Action: Sendable {
    case cell(Int)
    case scale(Double)
  }

  private let store = Store(initialState: Board(), on: .immediate) { (board: inout Board, action: Action) in
    switch action {
    case .cell(let index): board.cells[index] += 1
    case .scale(let factor):
      board.vector *= factor
      board.vectors[id: 1] = Vector(id: 1, value: board.vector)
      board.chosen = factor == 0 ? nil : board.vector
    }
  }

  @Sendable private static func nothing(_: Never) -> Action {}
  @Sendable private static func nothingOfOne(_: Int, _: Never) -> Action {}

  private func path(_ index: Int) -> any KeyPath<Board, Int> & Sendable { \.cells[index] }

  @Test("few slices or many, each has one node for all who watch it, and none when nobody does")
  func manySlices() async {
    let tree = store.engine.tables.tree
    var watchers: [Int: [(component: RecordingComponent<Int>, connection: Connection)]] = [:]
    for index in 0..<20 {
      for _ in 0..<2 {
        let component = RecordingComponent<Int>()
        watchers[index, default: []].append((component, store.connect(component, to: path(index))))
      }
      #expect(tree.children.count == index + 1)
    }
    // Those that stay are found after others have taken the places of those that go.
    for index in stride(from: 0, to: 20, by: 3) {
      for watcher in watchers.removeValue(forKey: index) ?? [] { watcher.connection.disconnect() }
    }
    #expect(tree.children.count == 13)
    for index in watchers.keys {
      let component = RecordingComponent<Int>()
      watchers[index]?.append((component, store.connect(component, to: path(index))))
    }
    #expect(tree.children.count == 13)
    for index in [0, 18] {
      let component = RecordingComponent<Int>()
      watchers[index] = [(component, store.connect(component, to: path(index)))]
    }
    #expect(tree.children.count == 15)
    await store.settled()
    for index in 0..<20 { store.dispatch(.cell(index)) }
    await store.settled()
    for watcher in watchers.values.joined() { #expect(watcher.component.received.values == [0, 1]) }
    for watcher in watchers.values.joined() { watcher.connection.disconnect() }
    #expect(tree.children.isEmpty)
  }

  @Test("a slice that is aligned to more than memory is by itself is watched like any other")
  func aligned() async {
    let stored = RecordingComponent<SIMD8<Double>>()
    let computed = RecordingComponent<SIMD8<Double>>()
    let present = RecordingComponent<SIMD8<Double>>()
    let element = RecordingComponent<SIMD8<Double>>()
    store.connect(stored, to: \.vector)
    store.connect(computed) { $0.vector + 1 }
    store.connectIfPresent(\.chosen, action: Self.nothing) { $0.connect(present, to: \.self) }
    store.connectEach(\.vectors, action: Self.nothingOfOne) { $1.connect(element, to: \.value) }
    for factor in [2.0, 3] {
      await store.settled()
      store.dispatch(.scale(factor))
    }
    await store.settled()
    func all(_ numbers: Double...) -> [SIMD8<Double>] { numbers.map { SIMD8(repeating: $0) } }
    #expect(stored.received.values == all(1, 2, 6))
    #expect(computed.received.values == all(2, 3, 7))
    #expect(present.received.values == all(2, 6))
    #expect(element.received.values == all(2, 6))
  }

  private struct Holder: Equatable, Sendable, Identifiable {
    var id = 1
    var token = Token()
  }

  @Test("the value that a slice had is let go of with its last watcher", arguments: Queue.allCases)
  func freed(queue: Queue) async {
    let store = Store(initialState: Holder(), on: queue.queue) { (holder: inout Holder, _: Void) in
      holder.token = Token()
    }
    weak let first = store.state.token
    let connections = [
      store.connect(Forgetful(), to: \.token), store.connect(Forgetful(), props: { $0.token }),
    ]
    await store.settled()
    #expect(first != nil)
    for connection in connections { connection.disconnect() }
    await store.send(())
    await store.settled()
    while first != nil { await Task.yield() }
  }

  @Test("what was given is let go of when the store goes in the middle of the update")
  func freedUpdate() async throws {
    let gate = Gate()
    weak var token: Token?
    do {
      let store = Store(initialState: Holder(), on: .immediate) { (_: inout Holder, _: Void) in }
      token = store.state.token
      store.connect(Forgetful(holdingAt: gate), to: \.token)
      try await gate.waiters(atLeast: 1)
    }
    gate.open()
    while token != nil { await Task.yield() }
  }

  @Test("nothing is left of a connection that has ended") func freedPlace() async {
    let store = Store(initialState: Holder(), on: .immediate) { (_: inout Holder, _: Void) in }
    var connection: Connection? = store.connect(Forgetful(), to: \.token)
    weak let place = store.engine.tables.tree.anyAttachment?.place
    await store.settled()
    #expect(place != nil)
    connection?.disconnect()
    connection = nil
    await store.settled()
    while place != nil { await Task.yield() }
  }

  @Test("the value that an element had is let go of with the element", arguments: Queue.allCases)
  func freedElement(queue: Queue) async {
    let store = Store(initialState: KeyedArray(uniqueElements: [Holder()]), on: queue.queue) {
      (holders, _: Void) in
      holders.removeAll()
    }
    weak let token = store.state[0].token
    let action: @Sendable (Int, Void) -> Void = { $1 }
    store.connectEach(\.self, action: action) { $1.connect(Forgetful(), to: \.token) }
    await store.settled()
    #expect(token != nil)
    await store.send(())
    await store.settled()
    // The task that served its component may still be returning.
    while token != nil { await Task.yield() }
  }

  private final class Token: Equatable, Sendable {
    static func == (left: Token, right: Token) -> Bool { left === right }
  }

  /// Keeps nothing of what it is told.
  private actor Forgetful: Component {
    private let gate: Gate?

    init(holdingAt gate: Gate? = nil) { self.gate = gate }

    func update(_ token: Token) async { try? await gate?.wait() }
  }
}
