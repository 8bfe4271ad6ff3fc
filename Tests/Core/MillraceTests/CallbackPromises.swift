import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

/// C5: every public call is legal from every callback.
@Suite("Callbacks", .blocksThreads, .timeLimit(.minutes(10)))
struct CallbackPromises {
  private let calls = Recorder<String>()

  /// Calls everything that a store offers and that does not suspend.
  private static func callAll(_ store: BoardStore) {
    store.dispatch(.report("dispatched"))
    store.dispatch(.all([.report("listed"), .report("listed")]))
    store.dispatchAndWait(.report("waited"))
    _ = store.state
    _ = store.activity.description
    let scope = store.scope(\.count, action: Board.Action.add)
    _ = scope.state
    let connections = [
      store.connect(RecordingComponent<Int>(), to: \.count),
      scope.connect(when: { Optional($0) }, run: { _, _ in }),
      store.onAction { _, _ in },
      store.observe(EventRecorder()),
    ]
    _ = store.values(of: \.count)
    _ = store.actions()
    for connection in connections { connection.disconnect() }
  }

  /// Calls everything that a store offers, and asks from another thread, which would wait for ever if a lock of the
  /// runtime were held meanwhile.
  private static func callAllSuspending(_ store: BoardStore) async {
    callAll(store)
    await onThread { callAll(store) }
    await store.send(.report("sent"))
    await store.settled()
    let connection = store.connect(JobEffect { _, _ in })
    connection.disconnect()
    await connection.finished()
    let child = store.scope(\.count, action: Board.Action.add)
    await child.shutdown()
  }

  /// The same, for where nothing can be awaited.
  private static func callAllBlocking(_ store: BoardStore) {
    callAll(store)
    let isDone = Signal()
    let thread = Thread {
      callAll(store)
      isDone.give()
    }
    thread.start()
    isDone.wait()
  }

  private func expectAll(_ store: BoardStore, suspending: Bool) async {
    await store.settled()
    let log = store.state.log
    #expect(log.filter { $0 == "dispatched" }.count == 2)
    #expect(log.filter { $0 == "listed" }.count == 4)
    #expect(log.filter { $0 == "waited" }.count == 2)
    #expect(log.filter { $0 == "sent" }.count == (suspending ? 1 : 0))
    #expect(await store.shutdown().isClean)
  }

  @Test("C5: every call is legal inside an update, under no lock", arguments: Queue.allCases)
  func update(queue: Queue) async {
    actor Caller: Component {
      weak var store: BoardStore?
      init(_ store: BoardStore) { self.store = store }
      func update(_ count: Int) async {
        if count == 1, let store { await CallbackPromises.callAllSuspending(store) }
      }
    }
    let store = BoardStore(on: queue)
    store.connect(Caller(store), to: \.count)
    store.dispatch(.add(1))
    await expectAll(store, suspending: true)
  }

  @Test("C5: every call is legal inside a body, under no lock", arguments: Queue.allCases)
  func body(queue: Queue) async {
    let store = BoardStore(on: queue)
    store.connect(
      JobEffect { [weak store] _, _ in
        if let store { await Self.callAllSuspending(store) }
      })
    store.dispatch(.ask("job"))
    await expectAll(store, suspending: true)
  }

  @Test("C5: every call is legal where a view gets its props, under no lock", arguments: Queue.allCases)
  @MainActor
  func view(queue: Queue) async {
    @MainActor final class CallingView: ViewComponent {
      weak var store: BoardStore?
      var props = 0 {
        didSet { if props == 1, let store { CallbackPromises.callAllBlocking(store) } }
      }
    }
    let store = BoardStore(on: queue)
    let view = CallingView()
    view.store = store
    store.connect(view, to: \.count)
    store.dispatch(.add(1))
    await expectAll(store, suspending: false)
  }

  @Test("C5: every call is legal inside an observer, under no lock", arguments: Queue.allCases)
  func observer(queue: Queue) async {
    let store = BoardStore(on: queue)
    store.onAction { [weak store] action, _ in
      if action == .add(1), let store { Self.callAllBlocking(store) }
    }
    store.dispatch(.add(1))
    await expectAll(store, suspending: false)
  }

  @Test("C5: every call is legal inside a cancellation handler, under no lock", arguments: Queue.allCases)
  func cancellation(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let gate = Gate()
    store.connect(
      JobEffect { [weak store] _, _ in
        let call: @Sendable () -> Void = { [weak store] in
          if let store { Self.callAllBlocking(store) }
        }
        await withTaskCancellationHandler {
          try? await gate.wait()
        } onCancel: {
          call()
        }
      })
    store.dispatch(.ask("job"))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.drop("job"))
    await expectAll(store, suspending: false)
  }

  @Test("C5: every call is legal inside the deinit of a component, under no lock", arguments: Queue.allCases)
  func componentDeinit(queue: Queue) async {
    final class Farewell: Component {
      let say: @Sendable () -> Void
      init(_ say: @escaping @Sendable () -> Void) { self.say = say }
      deinit { say() }
      func update(_ count: Int) async {}
    }
    let store = BoardStore(on: queue)
    let said = Recorder<Void>()
    let connection = store.connect(
      Farewell { [weak store] in
        if let store { Self.callAllBlocking(store) }
        said.append(())
      }, to: \.count)
    await store.settled()
    connection.disconnect()
    await connection.finished()
    _ = try? await said.values(atLeast: 1)
    await expectAll(store, suspending: false)
  }

  @Test("C5: what is disconnected while slices are compared is told nothing more", arguments: Queue.allCases)
  func disconnectedInSelector(queue: Queue) async {
    let store = BoardStore(on: queue)
    let ending = Recorder<Connection>()
    let component = RecordingComponent<Int>()
    let selector: @Sendable (Board) -> Int = { board in
      if board.count == 1 { for connection in ending.values { connection.disconnect() } }
      return board.count
    }
    store.connect(RecordingComponent<Int>(), props: selector)
    ending.append(store.connect(component, to: \.count))
    ending.append(
      store.connect(when: { Optional($0.count) }, run: { [calls] count, _ in calls.append("body \(count)") }))
    store.connect(when: { Optional(selector($0)) }, run: { _, _ in })
    await store.settled()
    #expect(component.received.values == [0])
    store.dispatch(.add(1))
    await store.settled()
    let received = component.received.values
    let bodies = calls.values
    store.dispatch(.add(1))
    await store.settled()
    // Whether they were told of that very action depends on who is looked at first.
    #expect(component.received.values == received)
    #expect(calls.values == bodies)
    #expect(store.activity.entries.count == 2)
  }
}
