import MillraceTesting
import Testing

@testable import Millrace

private struct Item: Identifiable, Equatable, Sendable {
  let id: Int
  var value = 0
}

private struct Shelf: Equatable, Sendable {
  var items = KeyedArray<Item>()
  var count = 0
}

private enum ShelfAction: Sendable {
  case fill(Int)
  case keep(Set<Int>)
  case add(Int)
}

@Sendable private func reduce(_ shelf: inout Shelf, _ action: ShelfAction) {
  switch action {
  case .fill(let count): shelf.items = KeyedArray(uniqueElements: (0..<count).map { Item(id: $0) })
  case .keep(let ids): shelf.items.removeAll { !ids.contains($0.id) }
  case .add(let step): shelf.count += step
  }
}

/// Nothing is sent through the items' own stores.
@Sendable private func noAction(_ id: Int, _: Never) -> ShelfAction {}

/// Several components are updated by one server, unless one of them takes long.
///
/// The servers are made here, and no other comes, so that who updates what is not left to chance.
@Suite("Servers of components")
struct ComponentServerTests {
  private let store = Store(initialState: Shelf(), on: .immediate, reduce: reduce)
  private var engine: Engine { store.engine }

  private func newServer() -> ComponentServer {
    let server = ComponentServer()
    engine.locked { [engine] _ in
      engine.tables.components.pointee.serverCame(server)
      engine.tables.components.pointee.serverWasMade()
    }
    return server
  }

  private func serve(_ server: ComponentServer) async { await server.serve(WeakEngine(engine: engine)) }

  private func connect(_ components: [some Component<Int>]) -> [Connection] {
    components.map { store.connect($0, to: \.count) }
  }

  // MARK: Shares

  @Test("a server updates what waits, and ends when nothing does") func all() async {
    let server = newServer()
    let components = (0..<200).map { _ in RecordingComponent<Int>() }
    let connections = connect(components)
    store.dispatch(.add(1))
    await serve(server)
    #expect(components.allSatisfy { $0.finished.values == [1] })
    #expect(engine.tables.components.pointee.servers.isEmpty)
    await store.settled()
    for connection in connections {
      connection.disconnect()
      await connection.finished()
    }
    #expect(store.activity.entries.isEmpty)
  }

  @Test("where somebody observes, each is taken just before it begins") func observed() async {
    let server = newServer()
    let events = EventRecorder()
    store.observe(events)
    _ = connect((0..<3).map { _ in RecordingComponent<Int>() })
    #expect(engine.refill(server) != nil)
    #expect(!server.hasRemaining)
    await serve(server)
    await store.settled()
    #expect(events.lines.count { $0.hasPrefix("updated") } == 3)
  }

  @Test("C1: what comes while the others of a share are updated is given in its turn") func meanwhile() async
  {
    let server = newServer()
    let components = (0..<3).map { _ in RecordingComponent<Int>() }
    let bumping = CallingComponent { [store] count in if count < 5 { store.dispatch(.add(1)) } }
    _ = connect(components)
    _ = connect([bumping])
    await serve(server)
    await store.settled()
    #expect(components.allSatisfy { $0.received.values == [0, 1, 2, 3, 4, 5] })
  }

  @Test("C3: another server takes what one has not begun, and ends what it has") func takenOver() async throws
  {
    let (first, second) = (newServer(), newServer())
    let gate = Gate()
    let early = RecordingComponent<Int>()
    let slow = RecordingComponent<Int>(holdingAt: gate)
    let late = (0..<10).map { _ in RecordingComponent<Int>() }
    let connections = connect([early, slow] + late)
    let serving = Task { await serve(first) }
    try await gate.waiters(atLeast: 1)
    #expect(early.finished.values == [0])
    #expect(late.allSatisfy { $0.received.values.isEmpty })
    store.dispatch(.add(1))
    await serve(second)
    #expect(early.finished.values == [0, 1])
    #expect(late.allSatisfy { $0.finished.values == [0, 1] })
    for connection in connections { connection.disconnect() }
    await connections[0].finished()  // not held up by the slow one
    for connection in connections.dropFirst(2) { await connection.finished() }
    #expect(store.activity.entries.map(\.connection) == [connections[1].identity])
    gate.open()
    await serving.value
    await connections[1].finished()
    #expect(slow.received.values == [0])
  }

  @Test("another server is on its way as long as anything is left") func onItsWay() throws {
    let server = ComponentServer()
    engine.locked { [engine] _ in engine.tables.components.pointee.serverWasMade() }
    _ = connect((0..<3).map { _ in RecordingComponent<Int>() })
    engine.locked { [engine] _ in
      engine.tables.components.pointee.serverCame(server)
      #expect(engine.tables.components.pointee.needsServer)
      #expect(engine.refill(server) != nil)
      #expect(engine.tables.components.pointee.needsServer)
      #expect(server.takeHalf().count == 1)
      #expect(engine.tables.components.pointee.needsServer)
      #expect(server.advance() != nil)
      #expect(!engine.tables.components.pointee.needsServer)
    }
  }

  // MARK: Ends

  @Test("C2: what was taken and not begun is not updated after a disconnection") func disconnected() async {
    let server = newServer()
    let components = (0..<6).map { _ in RecordingComponent<Int>() }
    let ending = Recorder<Connection>()
    let quitting = CallingComponent { _ in for connection in ending.values { connection.disconnect() } }
    let connections = connect([components[0]]) + connect([quitting]) + connect(Array(components[1...]))
    for connection in connections.suffix(3) { ending.append(connection) }
    await serve(server)
    #expect(components.map { $0.received.values } == [[0], [0], [0], [], [], []])
    for connection in connections.suffix(3) { await connection.finished() }
    await store.settled()
  }

  @Test("C2: what was taken and not begun is not updated after its element is gone") func elementGone() async
  {
    let server = newServer()
    let components = (0..<6).map { _ in RecordingComponent<Int>() }
    store.connect(CallingComponent { [store] _ in store.dispatch(.keep([1, 3])) }, to: \.count)
    store.connectEach(\.items, action: noAction) { id, item in
      item.connect(components[id], to: \.value)
    }
    store.dispatch(.fill(6))
    await serve(server)
    #expect(components.map { $0.received.values } == [[], [0], [], [0], [], []])
    await store.settled()
    #expect(engine.tables.unfinished.isEmpty)
  }

  @Test("C2: the same where the element is gone and what is connected to it is not torn down yet")
  func elementFenced() {
    let server = newServer()
    let components = (0..<3).map { _ in RecordingComponent<Int>() }
    store.connectEach(\.items, action: noAction) { id, item in
      item.connect(components[id], to: \.value)
    }
    store.dispatch(.fill(3))
    engine.locked { [engine] _ in #expect(engine.refill(server) != nil) }
    #expect(server.hasRemaining)
    engine.locked { [engine] _ in
      for component in engine.attachments(in: engine.scope) { component.place.scope.isEnded = true }
      engine.tables.components.pointee.partEnded()
    }
    #expect(!server.hasRemaining)
  }

  @Test("C2: the same where no server has taken it yet")
  func elementFencedWaiting() {
    let server = newServer()
    let components = (0..<3).map { _ in RecordingComponent<Int>() }
    store.connectEach(\.items, action: noAction) { id, item in
      item.connect(components[id], to: \.value)
    }
    store.dispatch(.fill(3))
    engine.locked { [engine] _ in
      for component in engine.attachments(in: engine.scope) where component.place.isDisplay {
        component.place.scope.isEnded = true
      }
      #expect(engine.refill(server) == nil)
    }
    #expect(components.allSatisfy { $0.received.count == 0 })
  }

  @Test("what has ended is let go while others of its share are still updated") func letGo() async throws {
    let (first, second) = (newServer(), newServer())
    let gate = Gate()
    var component: RecordingComponent<Int>? = RecordingComponent()
    weak let observed = component
    let slow = RecordingComponent<Int>(holdingAt: gate)
    let connections = connect([component].compactMap(\.self)) + connect([slow])
    let serving = Task { await serve(first) }
    try await gate.waiters(atLeast: 1)
    component = nil
    connections[0].disconnect()
    await serve(second)
    #expect(observed == nil)
    gate.open()
    await serving.value
    await store.settled()
  }

  @Test("what was taken and not begun when the store goes never begins") func storeGone() async throws {
    let gate = Gate()
    let components = [RecordingComponent<Int>(holdingAt: gate), RecordingComponent(holdingAt: gate)]
    var serving: Task<Void, Never>?
    do {
      let store = Store(initialState: Shelf(), on: .immediate, reduce: reduce)
      let server = ComponentServer()
      store.engine.locked { [engine = store.engine] _ in
        engine.tables.components.pointee.serverCame(server)
        engine.tables.components.pointee.serverWasMade()
      }
      for component in components { store.connect(component, to: \.count) }
      let engine = WeakEngine(engine: store.engine)
      serving = Task { await server.serve(engine) }
      try await gate.waiters(atLeast: 1)
    }
    gate.open()
    await serving?.value
    #expect(components.map { $0.finished.values } == [[0], []])
  }

  // MARK: From within

  @Test("a task that an update leaves behind is not taken for the updates after it") func leftBehind() async {
    let server = newServer()
    let (gate, seen) = (Gate(), Gate())
    let works = Recorder<Bool>()
    let task = Recorder<Task<Void, Never>>()
    let leaving = CallingComponent { _ in
      task.append(
        Task {
          await gate.waitIgnoringCancellation()
          works.append(CurrentWork.work == nil)
          seen.open()
        })
    }
    let looking = SuspendingComponent {
      gate.open()
      await seen.waitIgnoringCancellation()
      works.append(CurrentWork.work == nil)
    }
    _ = connect([leaving])
    _ = connect([looking])
    await serve(server)
    #expect(works.values == [true, false])
    for task in task.values { await task.value }
  }

  enum Caller: CaseIterable {
    case itself
    case childTask
    case taskThatItWaitsFor
  }

  @Test("settled() does not wait for the update in which it is called", arguments: Caller.allCases)
  func settledInside(caller: Caller) async {
    let (first, second) = (newServer(), newServer())
    let others = [RecordingComponent<Int>(), RecordingComponent()]
    let settling = SuspendingComponent { [store] in
      switch caller {
      case .itself: await store.settled()
      case .childTask:
        async let settling: Void = store.settled()
        await settling
      case .taskThatItWaitsFor: await Task { await store.settled() }.value
      }
      #expect(others.allSatisfy { $0.finished.values == [0] })
    }
    _ = connect([others[0]])
    _ = connect([settling])
    _ = connect([others[1]])
    // It waits for what is left of its share, which the other server takes.
    async let serving: Void = serve(first)
    async let helping: Void = serve(second)
    _ = await (serving, helping)
    await store.settled()
  }
}

/// Calls a function in its update.
private final class CallingComponent: Component {
  private let body: @Sendable (Int) -> Void
  init(_ body: @escaping @Sendable (Int) -> Void) { self.body = body }
  func update(_ count: Int) { body(count) }
}

private final class SuspendingComponent: Component {
  private let body: @Sendable () async -> Void
  init(_ body: @escaping @Sendable () async -> Void) { self.body = body }
  func update(_ count: Int) async { await body() }
}
