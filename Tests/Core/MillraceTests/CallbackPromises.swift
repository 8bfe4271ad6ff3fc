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

  enum Callback: CaseIterable, Sendable { case update, body, view, observer, cancellation, componentDeinit }

  @MainActor private final class CallingView: ViewComponent {
    private let call: () -> Void
    var props = 0 { didSet { if props == 1 { call() } } }
    init(_ call: @escaping () -> Void) { self.call = call }
  }

  @Test(
    "C5: every call is legal inside every callback, under no lock", arguments: Queue.allCases,
    Callback.allCases)
  @MainActor func everyCall(queue: Queue, callback: Callback) async throws {
    let store = BoardStore(on: queue)
    let (gate, said) = (Gate(), Recorder<Void>())
    let call: @Sendable () -> Void = { [weak store] in
      if let store { Self.callAllBlocking(store) }
      said.append(())
    }
    let callSuspending: @Sendable () async -> Void = { [weak store] in
      if let store { await Self.callAllSuspending(store) }
    }
    let view = CallingView(call)
    switch callback {
    case .update: store.connect(ClosureComponent<Int> { if $0 == 1 { await callSuspending() } }, to: \.count)
    case .body: store.connect(JobEffect { _, _ in await callSuspending() })
    case .view: store.connect(view, to: \.count)
    case .observer: store.onAction { action, _ in if action == .add(1) { call() } }
    case .cancellation:
      store.connect(
        JobEffect { _, _ in
          await withTaskCancellationHandler {
            try? await gate.wait()
          } onCancel: {
            call()
          }
        })
      try await store.dispatch(.ask("job"), reaching: gate)
      store.dispatch(.drop("job"))
    case .componentDeinit:
      let connection = store.connect(
        ClosureComponent<Int> { [cargo = OnRelease(call)] _ in withExtendedLifetime(cargo) {} }, to: \.count)
      await store.settled()
      connection.disconnect()
      await connection.finished()
    }
    if callback != .cancellation { store.dispatch(callback == .body ? .ask("job") : .add(1)) }
    let isSuspending = callback == .update || callback == .body
    if !isSuspending { try await said.values(atLeast: 1) }
    await expectAll(store, suspending: isSuspending)
    withExtendedLifetime(view) {}
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
    await store.settled(after: .add(1))
    let received = component.received.values
    let bodies = calls.values
    await store.settled(after: .add(1))
    // Whether they were told of that very action depends on who is looked at first.
    #expect(component.received.values == received)
    #expect(calls.values == bodies)
    #expect(store.activity.entries.count == 2)
  }

  /// Serves the jobs of a board. Does something when it is asked for the identity of one.
  private struct IdentifyingEffect: EffectComponent {
    let identify: @Sendable (Job) -> Void
    let body: @Sendable (Job) async -> Void

    func id(of job: Job) -> String {
      identify(job)
      return job.name
    }
    func requests(in board: Board) -> Set<Job> { board.jobs }
    func run(_ job: Job, send: Send<Board.Action>) async { await body(job) }
  }

  @Test(
    "C5: an effect that is disconnected as it tells an identity begins no run, also while another goes on",
    arguments: Queue.allCases)
  func disconnectedInIdentity(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let (own, gate) = (Late<Connection>(), Gate())
    own.value = store.connect(
      IdentifyingEffect { job in
        if job == "last" { own.value?.disconnect() }
      } body: { [calls] job in
        calls.append(job.name)
        await gate.waitIgnoringCancellation()
      })
    try await store.dispatch(.ask("first"), reaching: gate)
    await store.send(.ask("last"))
    gate.open()
    await own.value?.finished()
    await store.settled()
    #expect(calls.values == ["first"])
  }
}
