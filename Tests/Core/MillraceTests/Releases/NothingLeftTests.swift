import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What a store has made for runs, displays and waits goes with it: no two objects of the runtime keep each other.
@Suite("Nothing is left of a store", .timeLimit(.minutes(10)))
struct NothingLeftTests {
  private let gate = Gate()

  private func isGone(_ store: BoardStore, after story: (BoardStore) async throws -> Void) async throws
    -> () -> Bool
  {
    weak let engine = store.inside
    try await story(store)
    await store.settled(opening: gate)
    return { engine == nil }
  }

  private func leavesNothing(
    on queue: Queue, _ story: (BoardStore) async throws -> Void
  ) async throws {
    let isGone = try await isGone(BoardStore(on: queue), after: story)
    try await eventually { isGone() }
  }

  @Test("after runs that waited for others, or never began", arguments: Queue.allCases)
  func waited(queue: Queue) async throws {
    try await leavesNothing(on: queue) { store in
      store.connect(NamedJobEffect { [gate] _, _ in await gate.waitIgnoringCancellation() })
      try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
      // The second is discarded, the third begins.
      for value in 2...3 { store.dispatchAndWait(.askOnly([Job("a", value)])) }
      store.dispatch(.all([.ask(Job("b", 1)), .drop("b")]))
    }
  }

  @Test("after values that were handed over, taken and left", arguments: Queue.allCases)
  func handedOver(queue: Queue) async throws {
    try await leavesNothing(on: queue) { store in
      store.connect(
        FollowingJobEffect { [gate] jobs, _ in
          for await _ in jobs { await gate.waitIgnoringCancellation() }
        })
      try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
      for value in 2...3 { store.dispatchAndWait(.askOnly([Job("a", value)])) }
      store.dispatch(.askOnly([]))
    }
  }

  @Test("after failures, and a run that says what it waits for", arguments: Queue.allCases)
  func failed(queue: Queue) async throws {
    try await leavesNothing(on: queue) { store in
      store.connect(
        JobEffect(throwing: Mishap.self) { [gate] job, send throws(Mishap) in
          await withWaitReason("the gate") { await gate.waitIgnoringCancellation() }
          await send(.add(1))
          throw Mishap()
        })
      for name in ["a", "b"] { store.dispatch(.ask(Job(name, 1))) }
      try await gate.waiters(atLeast: 2)
      store.dispatchAndWait(.drop("a"))
    }
  }

  @Test("nothing is left after components, views, sequences and observers", arguments: Queue.allCases)
  func displays(queue: Queue) async throws {
    let view = await MainActor.run { RecordingView() }
    try await leavesNothing(on: queue) { store in
      store.connect(RecordingComponent<Int>(), to: \.count)
      store.connect(view, to: \.count)
      store.observe(EventRecorder())
      store.onAction { _, _ in }
      let scope = store.scope(\.count)
      scope.onAction { _, _ in }
      let values = store.values(of: \.count)
      let actions = scope.actions()
      let first = Task { await store.first { $0.count == 2 } }
      for _ in 1...2 { scope.dispatch(.add(1)) }
      for await value in values { if value == 2 { break } }
      for await _ in actions { break }
      #expect(await first.value?.count == 2)
    }
  }

  @Test("after waits that ended, were cancelled, or passed a deadline", arguments: Queue.allCases)
  func waits(queue: Queue) async throws {
    try await leavesNothing(on: queue) { store in
      let connection = store.connect(JobEffect { [gate] _, _ in await gate.waitIgnoringCancellation() })
      try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
      let settled = Task { await store.settled() }
      settled.cancel()
      await settled.value
      #expect(await store.shutdown(hard: .zero).unfinished.count == 1)
      gate.open()
      await connection.finished()
    }
  }

  @Test("after parts and elements that have ended, with what ran in them", arguments: Queue.allCases)
  func parts(queue: Queue) async throws {
    func tell(_ store: CornerStore) async throws -> () -> Bool {
      weak let engine = store.inside
      let effect = PieceEffect { [gate] _, _ in await gate.waitIgnoringCancellation() }
      store.connectRows { _, row in
        row.connect(effect)
        row.connect(RecordingComponent<Int>(), to: \.value)
      }
      store.connectPart { part in part.connect(effect) }
      store.connect(while: \.isPositive) { part in part.connect(RecordingComponent<Int>(), to: \.x) }
      store.change { corner in
        (corner.x, corner.part) = (1, Piece(id: 1, wanted: ["a"]))
        corner.rows = Corner.rows(0..<3)
      }
      try await gate.waiters(atLeast: 4)
      store.change { corner in (corner.x, corner.part, corner.rows) = (0, nil, Corner.rows(2..<4)) }
      await store.settled(opening: gate)
      return { engine == nil }
    }
    let isGone = try await tell(CornerStore(on: queue))
    try await eventually { isGone() }
  }
}
