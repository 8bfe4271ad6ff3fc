import Millrace
import MillraceTesting
import TestSupport
import Testing

/// C1, C2 and C3.
@Suite("Components", .timeLimit(.minutes(10)))
struct ComponentPromises {
  // MARK: C1

  @Test("C1: a component gets the props once, then those that differ, in order", arguments: Queue.allCases)
  func distinct(queue: Queue) async {
    let store = BoardStore(on: queue)
    store.dispatch(.add(5))
    let component = RecordingComponent<Int>()
    store.connect(component, to: \.count)
    await store.settled()
    #expect(component.received.values == [5])
    store.dispatch(.report("something else"))
    await store.settled(after: .add(0))
    #expect(component.received.values == [5])
    await store.settled(after: .add(1))
    store.dispatch(.add(1))
    await store.settled()
    #expect(component.received.values == [5, 6, 7])
  }

  @Test("C1: what differs is measured against what this component got last, not the store's last state")
  func ownLast() async throws {
    let store = BoardStore(on: .immediate)
    let gate = Gate()
    let slow = RecordingComponent<Int>(holdingAt: gate)
    let quick = RecordingComponent<Int>()
    store.connect(slow, to: \.count)
    store.connect(quick, to: \.count)
    try await gate.waiters(atLeast: 1)
    try await quick.received.values(atLeast: 1)
    store.dispatch(.add(1))
    try await quick.received.values(atLeast: 2)
    store.dispatch(.add(-1))
    try await quick.received.values(atLeast: 3)
    await store.settled(opening: gate)
    #expect(slow.received.values == [0])
    #expect(quick.received.values == [0, 1, 0])
  }

  @Test("C1: updates of one connection never overlap, whatever the executor", arguments: Queue.allCases)
  func noOverlap(queue: Queue) async {
    let store = BoardStore(on: queue)
    let visits = (0..<3).map { _ in Visit() }
    store.connect(ReentrantComponent(visits[0]), to: \.count)
    store.connect(await MainComponent(visits[1]), to: \.count)
    store.connect(ClosureComponent { await visits[2].update($0) }, to: \.count)
    await store.settled()
    for _ in 0..<100 {
      store.dispatch(.add(1))
      await Task.yield()
    }
    await store.settled()
    #expect(visits.map(\.overlap.most) == [1, 1, 1])
    for received in visits.map(\.received) {
      #expect(received.values.first == 0)
      #expect(received.values.last == 100)
      #expect(zip(received.values, received.values.dropFirst()).allSatisfy(<))
    }
  }

  @Test("C1: connecting while actions flow leaves no gap and makes no repeat", arguments: Queue.allCases)
  func connectedInFlow(queue: Queue) async {
    let store = BoardStore(on: queue)
    let components = (0..<20).map { _ in RecordingComponent<Int>() }
    let floors = Recorder<Int>()
    await withTaskGroup { group in
      group.addTask { for _ in 0..<200 { await store.send(.add(1)) } }
      group.addTask {
        for component in components {
          floors.append(store.state.count)
          store.connect(component, to: \.count)
          await Task.yield()
        }
      }
    }
    await store.settled()
    for (component, floor) in zip(components, floors.values) {
      let values = component.received.values
      #expect((values.first ?? -1) >= floor)
      #expect(values.last == 200)
      #expect(zip(values, values.dropFirst()).allSatisfy(<))
    }
  }

  @Test(
    "C1: a view gets its props on the main actor, the current ones once and in the end the latest",
    arguments: Queue.allCases) @MainActor
  func view(queue: Queue) async {
    let store = BoardStore(on: queue)
    let view = RecordingView()
    store.connect(view, to: \.count)
    await store.settled()
    #expect(view.received == [0])
    for _ in 0..<100 { store.dispatch(.add(1)) }
    await store.settled(after: .report("something else"))
    #expect(view.received.last == 100)
    #expect(zip(view.received, view.received.dropFirst()).allSatisfy(<))
  }

  // MARK: C2

  @Test(
    "C2: after disconnect() returns, no new update is committed, and finished() waits for the last",
    arguments: Queue.allCases)
  func disconnected(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let gate = Gate()
    let component = RecordingComponent<Int>(holdingAt: gate)
    let connection = store.connect(component, to: \.count)
    try await gate.waiters(atLeast: 1)
    await store.send(.add(1))  // waits behind the update that is in progress
    connection.disconnect()
    store.dispatch(.add(1))
    let opening = Task { gate.open() }
    await connection.finished()
    #expect(component.finished.values == [0])
    await opening.value
    await store.settled()
    #expect(component.received.values == [0])
  }

  @Test("C2: none after disconnect() inside another component's update")
  func disconnectedByAnother() async throws {
    let store = BoardStore(on: .serial)
    let (gate, ended) = (Gate(), Recorder<Void>())
    let component = RecordingComponent<Int>(holdingAt: gate)
    let connection = store.connect(component, to: \.count)
    try await gate.waiters(atLeast: 1)
    let other = ClosureComponent<Int> { _ in
      connection.disconnect()
      ended.append(())
    }
    store.connect(other, props: { -$0.count })
    await store.send(.add(1))
    try await ended.values(atLeast: 1)
    gate.open()
    await connection.finished()
    await store.settled()
    #expect(component.received.values == [0])
  }

  @Test("C2: none for a view that is disconnected on the main actor", arguments: Queue.allCases) @MainActor
  func viewDisconnected(queue: Queue) async {
    let store = BoardStore(on: queue)
    let view = RecordingView()
    let connection = store.connect(view, to: \.count)
    await store.settled()
    store.dispatchAndWait(.add(1))
    connection.disconnect()  // the new props wait for the main actor, where this very function executes
    await connection.finished()
    await store.settled()
    #expect(view.received == [0])
  }

  @Test("C2: a connection that is disconnected before it took its place gets nothing")
  func disconnectedBefore() async throws {
    let (store, hold) = BoardStore.held()
    try await store.stays(at: hold)
    let component = RecordingComponent<Int>()
    let connection = store.connect(component, to: \.count)
    let ending = Task { connection.disconnect() }  // waits for the turn that goes on
    store.dispatch(.add(1))
    hold.letGo()
    await ending.value
    let count = component.received.count
    await connection.finished()
    await store.settled(after: .add(1))
    #expect(component.received.count <= count + 1)  // one that was committed before may be seen to start
    #expect(component.received.values.last != 2)
  }

  // MARK: C3

  @Test(
    "C3: a slow component and a slow body delay no other and no reducer, and the component skips to the newest",
    arguments: Queue.allCases)
  func slow(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let gate = Gate()
    let (slow, quick) = (RecordingComponent<Int>(holdingAt: gate), RecordingComponent<Int>())
    store.connect(slow, to: \.count)
    store.connect(quick, to: \.count)
    store.connect(JobEffect { _, _ in await gate.waitIgnoringCancellation() })
    try await store.dispatch(.ask("job"), reaching: gate, by: 2)
    for _ in 0..<1000 { store.dispatch(.add(1)) }
    #expect(await store.send(.add(1)) == .reduced)
    try await eventually { quick.received.values.last == 1001 }
    #expect(slow.received.values == [0])
    await store.settled(opening: gate)
    #expect(slow.received.values == [0, 1001])
  }

  @Test("C3: a slow component holds at most one pending value")
  func onePending() async throws {
    final class Page: Equatable, Sendable {
      static func == (left: Page, right: Page) -> Bool { left === right }
    }
    struct Book: Equatable, Sendable { var page = Page() }
    struct Weak: Sendable { weak let page: Page? }
    let pages = Recorder<Weak>()
    let store = Store(initialState: Book(), on: .immediate) { (book: inout Book, _: Void) in
      book.page = Page()
      pages.append(Weak(page: book.page))
    }
    let gate = Gate()
    let component = RecordingComponent<Page>(holdingAt: gate)
    store.connect(component, to: \.page)
    try await gate.waiters(atLeast: 1)
    for _ in 0..<100 { store.dispatch(()) }
    #expect(pages.values.filter { $0.page != nil }.count == 1)
    await store.settled(opening: gate)
    #expect(component.received.count == 2)
  }
}
