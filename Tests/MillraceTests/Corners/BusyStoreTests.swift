import Foundation
import Millrace
import MillraceTesting
import Testing

/// A store whose turns go on for a while each, until what the test waits for has happened: then they are quick.
private final class Busy: Sendable {
  static let turns = 1_500
  /// Stands for the time that a reducer takes.
  private let happened = Signal(patience: .milliseconds(20))
  private let start = Signal(patience: .seconds(60))
  private let made = Lock(0)

  /// The turns made so far.
  var turnsMade: Int { made.withLock { $0 } }

  func makeStore() -> BoardStore {
    BoardStore(initialState: Board(), on: .serial(qos: .userInitiated)) { [self] board, action in
      Board.reduce(&board, action)
      switch action {
      case .report("start"): start.wait()
      case .add:
        made.withLock { $0 += 1 }
        if happened.wait() { happened.give() }
      default: break
      }
    }
  }

  /// Puts all the turns in the mailbox before the first of them is made.
  func begin(_ store: BoardStore) {
    store.dispatch(.report("start"))
    for _ in 0..<Self.turns { store.dispatch(.add(1)) }
    start.give()
  }

  func hasHappened() { happened.give() }
}

@Suite("Beside a store that is busy all the time", .serialized)
struct BusyStoreTests {
  private let busy = Busy()

  @Test("C3: a component is updated long before a busy store has reduced all that waits")
  func component() async throws {
    let store = busy.makeStore()
    let turns = Recorder<Int>()
    let component = ClosureComponent<Int> { [busy] count in
      if count == 0 { return }
      turns.append(busy.turnsMade)
      busy.hasHappened()
    }
    store.connect(component, to: \.count)
    await store.settled()
    busy.begin(store)
    #expect(try await turns.values(count: 1)[0] < Busy.turns / 2)
    await store.settled()
    #expect(store.state.count == Busy.turns)
  }

  @Test("C3: a view is updated long before a busy store has reduced all that waits")
  @MainActor func view() async throws {
    final class BusyView: ViewComponent {
      let shown: (Int) -> Void
      var props = 0 { didSet { shown(props) } }
      init(_ shown: @escaping (Int) -> Void) { self.shown = shown }
    }
    let store = busy.makeStore()
    let turns = Recorder<Int>()
    let view = BusyView { [busy] count in
      if count == 0 { return }
      turns.append(busy.turnsMade)
      busy.hasHappened()
    }
    store.connect(view, to: \.count)
    await store.settled()
    busy.begin(store)
    #expect(try await turns.values(count: 1)[0] < Busy.turns / 2)
    await store.settled()
    withExtendedLifetime(view) {}
  }

  @Test("C3: a sequence of values goes on long before a busy store has reduced all that waits")
  func values() async throws {
    let store = busy.makeStore()
    let values = store.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    busy.begin(store)
    #expect(await values.next() != nil)
    #expect(busy.turnsMade < Busy.turns / 2)
    busy.hasHappened()
    await store.settled()
  }

  @Test("L3: settled() of a quiet scope does not wait for the whole store")
  func settledScope() async {
    let store = busy.makeStore()
    let scope = store.scope(\.log)
    let component = RecordingComponent<Int>()
    scope.connect(component, to: \.count)
    await store.settled()
    busy.begin(store)
    await scope.settled()
    #expect(busy.turnsMade < Busy.turns / 2)
    busy.hasHappened()
    await store.settled()
  }

  @Test(
    "L3: shutdown() of a quiet scope does not wait for the whole store, and its components get their last props"
  )
  func shutdownScope() async {
    let store = busy.makeStore()
    let scope = store.scope(\.jobs)
    let component = RecordingComponent<Int>()
    scope.connect(component, to: \.count)
    scope.connect(when: { $0.isEmpty ? nil : 1 }, run: { (_: Int, _) in })
    await scope.send(.ask("job"))
    await store.settled()
    busy.begin(store)
    await scope.shutdown()
    #expect(busy.turnsMade < Busy.turns / 2)
    #expect(component.received.values.last == 1)
    busy.hasHappened()
    await store.settled()
  }

  @Test("L5: a reader of the state does not wait until a busy store has reduced all that waits")
  func reader() async {
    let store = busy.makeStore()
    busy.begin(store)
    let count = await onThread { [busy] in
      while busy.turnsMade == 0 { usleep(100) }
      return store.state.count
    }
    #expect(count < Busy.turns / 2)
    busy.hasHappened()
    await store.settled()
  }
}
