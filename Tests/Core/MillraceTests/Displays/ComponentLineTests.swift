import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What components get from the servers that they share.
@Suite("The line of components", .timeLimit(.minutes(30)))
struct ComponentLineTests {
  private let store = BoardStore(on: .serial)

  @Test("what has ended is let go of while others are still updated") func letGo() async throws {
    let gate = Gate()
    var component: RecordingComponent<Int>? = RecordingComponent()
    weak let observed = component
    let connection = try store.connect(#require(component), to: \.count)
    store.connect(RecordingComponent<Int>(holdingAt: gate), to: \.count)
    try await gate.waiters(atLeast: 1)
    component = nil
    connection.disconnect()
    await connection.finished()
    try await eventually { observed == nil }
    await store.settled(opening: gate)
  }

  @Test("C3: components that are held up in their updates hold up none of the others") func heldUp()
    async throws
  {
    let gate = Gate()
    for _ in 0..<100 { store.connect(RecordingComponent<Int>(holdingAt: gate), to: \.count) }
    let quick = RecordingComponent<Int>()
    store.connect(quick, to: \.count)
    try await gate.waiters(atLeast: 100)
    try await quick.finished.values(atLeast: 1)
    store.dispatch(.add(1))
    try await quick.finished.values(atLeast: 2)
    await store.settled(opening: gate)
  }

  @Test("a task that an update leaves behind is not inside the updates after it") func leftBehind() async {
    let (gate, seen) = (Gate(), Gate())
    let insides = Recorder<Bool>()
    let task = Recorder<Task<Void, Never>>()
    let leaving = ClosureComponent<Int> { [store] _ in
      task.append(
        Task {
          await gate.waitIgnoringCancellation()
          insides.append(store.isInsideWork)
          seen.open()
        })
    }
    let looking = ClosureComponent<Int> { [store] _ in
      gate.open()
      await seen.waitIgnoringCancellation()
      insides.append(store.isInsideWork)
    }
    store.connect(leaving, to: \.count)
    await store.settled()
    store.connect(looking, to: \.count)
    await store.settled()
    #expect(insides.values == [false, true])
    for task in task.values { await task.value }
  }

  enum Caller: CaseIterable {
    case itself
    case childTask
    case taskThatItWaitsFor
  }

  @Test("settled() does not wait for the update in which it is called", arguments: Caller.allCases)
  func settledInside(caller: Caller) async {
    let others = [RecordingComponent<Int>(), RecordingComponent()]
    let settling = ClosureComponent<Int> { [store] _ in
      switch caller {
      case .itself: await store.settled()
      case .childTask:
        async let settling: Void = store.settled()
        await settling
      case .taskThatItWaitsFor: await Task { await store.settled() }.value
      }
      #expect(others.allSatisfy { $0.finished.values == [0] })
    }
    store.dispatchAndWait(.add(0))
    store.connect(others[0], to: \.count)
    store.connect(others[1], to: \.count)
    store.connect(settling, to: \.count)
    await store.settled()
  }
}
