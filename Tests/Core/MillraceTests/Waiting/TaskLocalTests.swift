import Millrace
import MillraceTesting
import TestSupport
import Testing

private enum Local {
  @TaskLocal static var value = 0
}

@Suite("What tasks inherit", .timeLimit(.minutes(10)))
struct TaskLocalTests {
  @Test("R1: task-locals of who sends are not visible in reducers on the store's own queue")
  func inReducer() async {
    let seen = Recorder<Int>()
    let store = BoardStore(initialState: Board()) { board, action in
      seen.append(Local.value)
      Board.reduce(&board, action)
    }
    store.connect(
      JobEffect { _, send in
        await Local.$value.withValue(7) {
          for _ in 0..<10 { await send(.add(1)) }
        }
      })
    for number in 0..<20 {
      await store.settled(after: .ask(Job("job", number + 1)))
    }
    await Local.$value.withValue(8) {
      store.dispatch(.add(1))
      await store.send(.add(1))
    }
    #expect(seen.values == Array(repeating: 0, count: 20 * 11 + 2))
  }

  enum Lifetime: CaseIterable, Sendable { case part, element, predicate }

  @Test(
    "L3: a closure's task is not taken for the run that began the lifetime",
    arguments: Queue.allCases, Lifetime.allCases)
  func inClosure(queue: Queue, lifetime: Lifetime) async throws {
    let store = CornerStore(on: queue)
    let (order, gate) = (Recorder<String>(), Gate())
    let wait: @Sendable () -> Void = { [weak store] in
      _ = Task {
        await store?.settled()
        order.append("settled")
      }
    }
    switch lifetime {
    case .part: store.connectPart { _ in wait() }
    case .element: store.connectRows { _, _ in wait() }
    case .predicate: store.connect(while: \.isPositive) { _ in wait() }
    }
    // The body that begins the lifetime goes on after it.
    store.connect(
      when: { $0.isOpen ? 1 : nil },
      run: { (_: Int, send) in
        await send(Change { ($0.x, $0.part, $0.rows) = (1, Piece(id: 1), [Piece(id: 1)]) })
        await gate.waitIgnoringCancellation()
        order.append("returned")
      })
    store.change { $0.isOpen = true }
    try await gate.waiters(atLeast: 1)
    try await store.isAwaited(beforeAnyOf: order, opening: gate)
    #expect(try await order.values(atLeast: 2) == ["returned", "settled"])
  }

  @Test(
    "L3: a cancellation handler's task is not taken for the run that led there",
    arguments: Queue.allCases)
  func inHandler(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let (order, first, gate) = (Recorder<String>(), Gate(), Gate())
    store.connect(
      JobEffect { [weak store] job, send in
        if job == "stopped" {
          let store = store
          await withTaskCancellationHandler {
            await first.waitIgnoringCancellation()
          } onCancel: {
            Task {
              await store?.settled()
              order.append("settled")
            }
          }
        } else {
          try? await first.waiters(atLeast: 1)
          await send(.askOnly(["stops"]))
          await gate.waitIgnoringCancellation()
          order.append("returned")
        }
      })
    try await store.dispatch(.askOnly(["stops", "stopped"]), reaching: gate)
    try await store.isAwaited()
    first.open()
    try await eventually { !"\(store.activity)".contains("stopping") }
    #expect(store.waiterCount == 1 && order.values == [])
    gate.open()
    #expect(try await order.values(atLeast: 2) == ["returned", "settled"])
  }

  @Test("L3: finished() in a task that a run has left behind waits for the connection's other run")
  func leftBehind() async throws {
    let store = BoardStore(on: .immediate)
    let (order, first, gate) = (Recorder<String>(), Gate(), Gate())
    let connection = Recorder<Connection>()
    connection.append(
      store.connect(
        JobEffect { job, _ in
          if job == "left" {
            // Inherits the mark of the run, which returns at once.
            Task {
              await first.waitIgnoringCancellation()
              await connection.values[0].finished()
              order.append("finished")
            }
          } else {
            await gate.waitIgnoringCancellation()
            order.append("returned")
          }
        }))
    try await store.dispatch(.askOnly(["left", "other"]), reaching: gate)
    try await eventually { "\(store.activity)".contains("finished") }
    connection.values[0].disconnect()
    first.open()
    try await store.isAwaited(beforeAnyOf: order, opening: gate)
    #expect(try await order.values(atLeast: 2) == ["returned", "finished"])
  }
}
