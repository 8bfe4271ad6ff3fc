import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

/// A store that is busy without a pause until what the test waits for has happened: a thread keeps its mailbox full.
private final class Busy: Sendable {
  private struct Count {
    var isOver = false
    var gaveUp = false
  }

  private let count = Lock(Count())
  /// How many more the mailbox takes until it is full.
  private let room = DispatchSemaphore(value: 0)
  /// For how long it stays busy though nothing happens: a test that takes this long has failed.
  private static let patience: Duration = .seconds(400)

  init() { for _ in 0..<1_000 { room.signal() } }

  /// Whether it ended since its patience did: then what should not have waited has waited.
  var gaveUp: Bool { count.withLock(\.gaveUp) }

  func makeStore() -> BoardStore {
    BoardStore(initialState: Board(), on: .serial(qos: .userInitiated)) { [self] board, action in
      Board.reduce(&board, action)
      guard case .add = action else { return }
      var hasher = Hasher()  // stands for the work of a reducer
      for step in 0..<1_000 { hasher.combine(step) }
      withExtendedLifetime(hasher.finalize()) {}
      room.signal()
    }
  }

  /// Returns once the mailbox is full.
  func begin(_ store: BoardStore) async {
    await withCheckedContinuation { full in
      Thread.detachNewThread { [self] in
        for _ in 0..<1_000 { send(to: store) }
        full.resume()
        let start = ContinuousClock.now
        while !count.withLock(\.isOver) {
          send(to: store)
          if start.duration(to: .now) > Self.patience {
            count.withLock { ($0.isOver, $0.gaveUp) = (true, true) }
          }
        }
      }
    }
  }

  private func send(to store: BoardStore) {
    room.wait()
    store.dispatch(.add(1))
  }

  func hasHappened() { count.withLock { $0.isOver = true } }
}

@Suite("Beside a store that is busy all the time", .serialized, .timeLimit(.minutes(10)))
struct BusyStoreTests {
  private let busy = Busy()

  private func isOver(
    _ store: BoardStore, hasHappened: Bool = false, isolation: isolated (any Actor)? = #isolation
  ) async {
    if hasHappened { busy.hasHappened() }
    await store.settled()
    #expect(!busy.gaveUp)
  }

  @Test("C3: a component is updated long before a busy store has reduced all that waits")
  func component() async {
    let store = busy.makeStore()
    let component = ClosureComponent<Int> { [busy] count in
      if count > 0 { busy.hasHappened() }
    }
    store.connect(component, to: \.count)
    await store.settled()
    await busy.begin(store)
    await isOver(store)
  }

  @Test("C3: a view is updated long before a busy store has reduced all that waits")
  @MainActor func view() async {
    final class BusyView: ViewComponent {
      let shown: (Int) -> Void
      var props = 0 { didSet { shown(props) } }
      init(_ shown: @escaping (Int) -> Void) { self.shown = shown }
    }
    let store = busy.makeStore()
    let view = BusyView { [busy] count in
      if count > 0 { busy.hasHappened() }
    }
    store.connect(view, to: \.count)
    await store.settled()
    await busy.begin(store)
    await isOver(store)
    withExtendedLifetime(view) {}
  }

  @Test("C3: a sequence of values goes on long before a busy store has reduced all that waits")
  func values() async throws {
    let store = busy.makeStore()
    let values = store.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    await busy.begin(store)
    #expect(await values.next() != nil)
    await isOver(store, hasHappened: true)
  }

  @Test("L3: settled() of a quiet scope does not wait for the whole store")
  func settledScope() async {
    let store = busy.makeStore()
    let scope = store.scope(\.log)
    let component = RecordingComponent<Int>()
    scope.connect(component, to: \.count)
    await store.settled()
    await busy.begin(store)
    await scope.settled()
    await isOver(store, hasHappened: true)
  }

  @Test("L3: shutdown() of a quiet scope waits not for the whole store, and gives last props")
  func shutdownScope() async {
    let store = busy.makeStore()
    let scope = store.scope(\.jobs)
    let component = RecordingComponent<Int>()
    scope.connect(component, to: \.count)
    scope.connect(when: { $0.isEmpty ? nil : 1 }, run: { (_: Int, _) in })
    await scope.send(.ask("job"))
    await busy.begin(store)
    await scope.shutdown()
    #expect(component.received.values.last == 1)
    await isOver(store, hasHappened: true)
  }

  @Test("L5: a reader of the state does not wait until a busy store has reduced all that waits")
  func reader() async {
    let store = busy.makeStore()
    await busy.begin(store)
    #expect(await onThread { store.state.count } >= 0)
    await isOver(store, hasHappened: true)
  }
}
