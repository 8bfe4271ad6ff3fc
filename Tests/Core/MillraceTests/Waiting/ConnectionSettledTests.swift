import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("settled() of a connection", .timeLimit(.minutes(10)))
struct ConnectionSettledTests {
  private final class Log: StoreObserver {
    let numbers = Recorder<UInt64>()
    func observe(_ event: StoreEvent) { numbers.append(event.number) }
  }

  @Test("an observer has received everything so far, while a run goes on", arguments: Queue.allCases)
  func observer(queue: Queue) async throws {
    let gate = Gate()
    let store = BoardStore(on: queue)
    store.connect(JobEffect { _, _ in await gate.waitIgnoringCancellation() })
    let log = Log()
    let connection = store.observe(log)
    try await store.dispatch(.ask("copy"), reaching: gate)
    for number in 0..<100 { store.dispatch(.add(number)) }
    await connection.settled()
    // Each reduction is two events, and the run's start is one.
    #expect(log.numbers.values.count >= 2 * 101 + 1)
    await store.settled(opening: gate)
  }

  @Test("an effect's runs have returned, while those of another go on", arguments: Queue.allCases)
  func effect(queue: Queue) async throws {
    let (gate, other) = (Gate(), Gate())
    let ended = Recorder<Void>()
    let store = BoardStore(on: queue)
    let connection = store.connect(
      JobEffect { _, _ in
        await gate.waitIgnoringCancellation()
        ended.append(())
      })
    store.connect(JobEffect { _, _ in await other.waitIgnoringCancellation() })
    await connection.settled()
    await store.send(.ask("copy"))
    let waiting = Task { await connection.settled() }
    try await gate.waiters(atLeast: 1)
    gate.open()
    await waiting.value
    #expect(ended.values.count == 1)
    await store.settled(opening: other)
  }

  @Test("a component's update has ended", arguments: Queue.allCases, [false, true])
  func component(queue: Queue, isLongRunning: Bool) async throws {
    let gate = Gate()
    let store = BoardStore(on: queue)
    let component = RecordingComponent<Int>(holdingAt: gate)
    let connection = store.connect(component, to: \.count, longRunning: isLongRunning)
    try await gate.waiters(atLeast: 1)
    let waiting = Task { await connection.settled() }
    store.dispatch(.add(1))
    gate.open()
    await waiting.value
    await connection.settled()
    #expect(component.finished.values.last == 1)
  }

  @Test("a component has got the last props, though the drain has not come to serve them", .blocksThreads)
  func unserved() async throws {
    let held = try await HeldDrain(afterAll: true)
    let component = RecordingComponent<Int>()
    let connection = held.store.connect(component, to: \.x)
    await held.store.settled()
    let finished = Recorder<[Int]>()
    try await held.change { letGo in
      let waiting = Task {
        await connection.settled()
        finished.append(component.finished.values)
      }
      try await held.store.isAwaited { finished.count > 0 }
      letGo()
      await waiting.value
    }
    #expect(finished.values == [[0, 1]])
  }

  @Test("a component whose props stay as they are has nothing due once the drain serves", .blocksThreads)
  func unaffected() async throws {
    let held = try await HeldDrain(afterAll: true)
    let connection = held.store.connect(RecordingComponent<Bool>(), to: \.isOpen)
    await held.store.settled()
    let settled = Recorder<Void>()
    try await held.change { letGo in
      let waiting = Task {
        await connection.settled()
        settled.append(())
      }
      try await held.store.isAwaited { settled.count > 0 }
      letGo()
      try await inTime { await waiting.value }
    }
  }

  @Test("the update of a component that a lifetime has connected has ended")
  func updateWithin() async throws {
    let gate = Gate()
    let store = CornerStore(Corner(part: Piece(id: 1)), on: .serial)
    let component = RecordingComponent<Int>(holdingAt: gate)
    let connection = store.connectPart { $0.connect(component, to: \.value) }
    try await gate.waiters(atLeast: 1)
    let settled = Task { await connection.settled() }
    try await store.isAwaited()
    gate.open()
    try await inTime { await settled.value }
    #expect(component.finished.values == [0])
  }

  @Test("a component's update has ended in a flood of awaited actions, too")
  func flood() async {
    let store = BoardStore(on: .serial)
    let component = RecordingComponent<Int>()
    let connection = store.connect(component, to: \.count)
    let isOver = Lock(false)
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask { while !isOver.withLock(\.self) { await store.send(.add(0)) } }
      }
      for number in 1...300 {
        await store.send(.add(1))
        await connection.settled()
        #expect(component.finished.values.last == number)
      }
      isOver.withLock { $0 = true }
    }
  }

  @Test("what was connected through a lifetime has ended its work", arguments: Queue.allCases)
  func lifetime(queue: Queue) async throws {
    let gate = Gate()
    let ended = Recorder<Void>()
    let store = CornerStore(Corner(part: Piece(id: 1, wanted: ["work"])), on: queue)
    let connection = store.connectPart { part in
      part.connect(
        PieceEffect { _, _ in
          await gate.waitIgnoringCancellation()
          ended.append(())
        })
    }
    try await gate.waiters(atLeast: 1)
    let waiting = Task { await connection.settled() }
    gate.open()
    await waiting.value
    #expect(ended.values.count == 1)
  }

  @Test("inside a run of its own it does not wait for that one, and cancelling ends it")
  func inside() async throws {
    let store = BoardStore(on: .serial)
    let place = Lock<Connection?>(nil)
    let begun = Gate()
    let connection = store.connect(
      JobEffect { _, send in
        await begun.waitIgnoringCancellation()
        await place.withLock(\.self)?.settled()
        await send(.report("settled"))
      })
    place.withLock { $0 = connection }
    await store.send(.ask("copy"))
    let waiting = Task { await connection.settled() }
    waiting.cancel()
    await waiting.value
    begun.open()
    await connection.settled()
    #expect(store.state.log == ["settled"])
    place.withLock { $0 = nil }
  }
}
