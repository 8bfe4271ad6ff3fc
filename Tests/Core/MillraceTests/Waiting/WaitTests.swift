import Millrace
import MillraceTesting
import TestSupport
import Testing

/// What a run or an update waits for, in a program.
@Suite("Waits")
struct WaitTests {
  private let gate = Gate()
  struct Failure: Error {}

  private func waits(in store: BoardStore) -> [[String]] {
    store.activity.entries.flatMap(\.work).map(\.waitsFor)
  }

  @Test("activity says what a run waits for, while it does", arguments: Queue.allCases)
  func marked(queue: Queue) async throws {
    let store = BoardStore(on: queue)
    let (begun, next) = (Gate(), Gate())
    store.connect(
      JobEffect { [gate] job, send in
        let line = await withWaitReason("the printer") { () -> String in
          begun.open()
          try? await gate.wait()
          return "printed \(job)"
        }
        await send(.report(line))
        try? await next.wait()
      }, named: "jobs")
    try await store.dispatch(.ask("copy"), reaching: gate)
    try await store.areWaitsOnRecord(2)
    #expect(waits(in: store) == [["the printer (a gate)"]])
    #expect(
      "\(store.activity)".hasSuffix(
        "    running #1 copy, started by action 1, waits for the printer (a gate)"))
    gate.open()
    try await eventually { waits(in: store) == [["a gate"]] }
    await store.settled(opening: next)
    #expect(store.state.log == ["printed copy"])
    #expect(waits(in: store) == [[]])
    #expect(!store.isAnyWaitOnRecord)
  }

  @Test("each task of a run has its own wait")
  func severalTasks() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(
      JobEffect { [gate] _, _ in
        async let one: Void = withWaitReason("one") { try? await gate.wait() }
        async let two: Void = withWaitReason("two") { try? await gate.wait() }
        _ = await (one, two)
      })
    try await store.dispatch(.ask("copy"), reaching: gate, by: 2)
    try await store.areWaitsOnRecord(4)
    #expect(waits(in: store) == [["one (a gate)", "two (a gate)"]])
    #expect("\(store.activity)".hasSuffix(", waits for one (a gate) and two (a gate)"))
    await store.settled(opening: gate)
  }

  @Test("an error ends the wait and is passed on")
  func errors() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(
      JobEffect { [gate] _, send in
        do throws(Failure) {
          try await withWaitReason("nothing") { () async throws(Failure) in throw Failure() }
        } catch {
          await send(.report("thrown"))
        }
        try? await gate.wait()
      })
    try await store.dispatch(.ask("copy"), reaching: gate)
    #expect(store.state.log == ["thrown"])
    try await store.areWaitsOnRecord()
    #expect(waits(in: store) == [["a gate"]])
    await store.settled(opening: gate)
  }

  @Test("a run that waits for the one before it says so until it begins, and a stopped one what it waits for")
  func predecessor() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(NamedJobEffect { [gate] _, _ in await gate.waitIgnoringCancellation() })
    try await store.dispatch(.ask(Job("a", 1)), reaching: gate)
    for value in 2...3 { store.dispatch(.ask(Job("a", value))) }
    try await store.areWaitsOnRecord(2)
    #expect(waits(in: store) == [["a gate"], ["the run before it"]])
    gate.pass()
    try await gate.waiters(atLeast: 1)
    try await store.areWaitsOnRecord()
    #expect(waits(in: store) == [["a gate"]])
    let clock = TestClock()
    let down = Task { await store.shutdown(hard: .seconds(1), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    try await eventually { "\(store.activity)".contains("stopping") }
    clock.advance(by: .seconds(1))
    let report = await down.value
    #expect("\(report)".contains("stopping #3 a3, started by action 3, waits for a gate"))
    await store.settled(opening: gate)
    #expect(!store.isAnyWaitOnRecord)
  }

  @Test("activity says what an update waits for")
  func updates() async throws {
    let store = BoardStore(on: .immediate)
    store.connect(RecordingComponent<Int>(holdingAt: gate), to: \.count, named: "display")
    try await gate.waiters(atLeast: 1)
    try await store.areWaitsOnRecord()
    #expect("\(store.activity)".hasSuffix("    running update, waits for a gate"))
    await store.settled(opening: gate)
  }

  @Test("outside of runs and updates a mark only calls its body")
  func outside() async {
    let value = await withWaitReason("nothing") { 7 }
    #expect(value == 7)
    #expect(Wait(.byTest, for: "nothing") == nil)
  }

  @Test("the text of a wait is made when it is read, and not before")
  func text() async throws {
    let store = BoardStore(on: .immediate)
    let spelled = Recorder<Int>()
    let spell = { @Sendable () -> String in
      spelled.append(1)
      return "a slot"
    }
    store.connect(
      JobEffect { [gate] _, _ in await withWaitReason(spell()) { try? await gate.wait() } })
    try await store.dispatch(.ask("copy"), reaching: gate)
    try await store.areWaitsOnRecord(2)
    #expect(spelled.count == 0)
    #expect(waits(in: store) == [["a slot (a gate)"]])
    #expect(spelled.count == 1)
    await store.settled(opening: gate)
  }

  @Test("a value that is handed over is told, and names the run")
  func handedOver() async throws {
    let store = BoardStore(on: .immediate)
    let observer = EventRecorder(of: store)
    store.connect(
      FollowingJobEffect { jobs, send in for await job in jobs { await send(.report("\(job)")) } })
    store.dispatch(.ask(Job("a", 1)))
    store.dispatch(.ask(Job("a", 2)))
    #expect(store.activity.entries.flatMap(\.work).map(\.request) == ["a2"])
    await store.settled(after: .drop("a"))
    #expect(observer.runs.contains("handed a2 to #1 a1"))
  }
}
