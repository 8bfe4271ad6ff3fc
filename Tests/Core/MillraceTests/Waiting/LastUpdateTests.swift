import Millrace
import MillraceTesting
import TestSupport
import Testing

/// The end of the last update is what `settled()` waits for, and nothing else happens after it.
@Suite("settled() and the last update", .timeLimit(.minutes(10)))
struct LastUpdateTests {
  private let gate = Gate()
  private let store: BoardStore
  private let scope: Store<Board, Board.Action>

  init() {
    var options = StoreOptions()
    options.seams.clock = TestClock()  // by which no wait is long: a report of one would look at the waits
    store = BoardStore(initialState: Board(), options: options, reduce: Board.reduce)
    scope = store.scope(\.self)
  }

  /// Connects a component within the scope, and returns when its update waits at the gate.
  private func beginUpdate() async throws {
    let count = scope.scope(\.count, action: Board.Action.add)
    count.connect(ClosureComponent<Int> { [gate] _ in await gate.waitIgnoringCancellation() })
    try await gate.waiters(atLeast: 1)
  }

  private func waiters(_ count: Int) async throws {
    try await eventually { store.waiterCount == count }
  }

  @Test("of the store and of a scope around the component's own", arguments: [false, true])
  func last(isOfScope: Bool) async throws {
    try await beginUpdate()
    async let settled: Void = (isOfScope ? scope : store).settled()
    try await waiters(1)
    gate.open()
    await settled
    #expect(!Task.isCancelled)
  }

  @Test("of two that wait for it, one that is cancelled changes nothing for the other")
  func cancelled() async throws {
    try await beginUpdate()
    async let settled: Void = scope.settled()
    try await waiters(1)
    let other = Task { await scope.settled() }
    try await waiters(2)
    other.cancel()
    await other.value
    try await waiters(1)
    gate.open()
    await settled
    #expect(!Task.isCancelled)
  }
}
