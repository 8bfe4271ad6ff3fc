#if DEBUG
import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Waits that are long")
struct LongWaitTests {
  private let reports = Recorder<StoreDiagnostic>()
  private let clock = TestClock()
  private let gate = Gate()

  private func makeStore() -> BoardStore {
    var options = StoreOptions(
      name: "Office", diagnostics: StoreDiagnostics { [reports] in reports.append($0) })
    options.seams.clock = clock
    return BoardStore(on: .immediate, options: options)
  }

  /// Starts a job and a long-running run, which stay at the gate whatever happens to them.
  private func beginWork(in store: BoardStore) async throws -> Connection {
    let jobs = store.connect(
      JobEffect { [gate] _, _ in await gate.waitIgnoringCancellation() }, named: "jobs",
      fileID: "Office/Main.swift", line: 7)
    store.connect(
      when: { Optional($0.count) }, named: "ticking", longRunning: true,
      run: { [gate] _, _ in await gate.waitIgnoringCancellation() })
    try await store.dispatch(.ask("copy"), reaching: gate, by: 2)
    try await store.areWaitsOnRecord(2)
    return jobs
  }

  /// Waits for as long as the runtime bears in silence.
  private func passSecond() async throws {
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(999))
    #expect(clock.sleepers.count == 1)
    clock.advance(by: .milliseconds(1))
  }

  private func nobodySleeps() async throws { try await eventually { clock.sleepers.isEmpty } }

  @Test("settled() tells once what it waits for")
  func settled() async throws {
    let store = makeStore()
    _ = try await beginWork(in: store)
    let waiting = Task { await store.settled() }
    try await passSecond()
    let report = try #require(try await reports.values(atLeast: 1).first)
    #expect(report.kind == .longWait)
    #expect(
      "\(report)" == """
        Office/Main.swift:7: settled() of Office has waited for a second, for
        jobs on \\.self at Office/Main.swift:7
          running #2 copy, started by action 1, waits for a gate
        """)
    #expect(clock.sleepers.isEmpty)
    gate.open()
    await waiting.value
    #expect(reports.count == 1)
  }

  @Test("two runs that wait for each other are both named")
  func eachOther() async throws {
    let store = makeStore()
    store.connect(JobEffect { [weak store] _, _ in await store?.settled() }, named: "jobs")
    store.dispatch(.askOnly(["first", "second"]))
    try await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(1))
    let message = try #require(try await reports.values(atLeast: 2).first).message
    #expect(message.hasPrefix("settled() of Office has waited for a second, for\njobs on "))
    #expect(message.contains(" first") && message.contains(" second"))
    await store.settled(after: .askOnly([]))
  }

  @Test("twenty pieces of work are named, and how many more there are")
  func many() async throws {
    let store = makeStore()
    let jobs = JobEffect { [gate] _, _ in await gate.waitIgnoringCancellation() }
    store.connect(jobs, named: "some")
    store.connect(jobs, named: "others")
    store.dispatch(.askOnly(Set((0..<15).map { Job("job", $0) })))
    try await gate.waiters(atLeast: 30)
    try await store.areWaitsOnRecord(30)
    let waiting = Task { await store.settled() }
    try await passSecond()
    let message = try #require(try await reports.values(atLeast: 1).first).message
    let lines = message.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("  running #") && $0.hasSuffix(", waits for a gate") } == 20)
    #expect(lines.count { $0.contains(" on \\.self at ") } == 2)
    #expect(lines.last == "and 10 more")
    gate.open()
    await waiting.value
  }

  @Test("finished() and shutdown() report a long wait")
  func others() async throws {
    let store = makeStore()
    let jobs = try await beginWork(in: store)
    jobs.disconnect()
    let finishing = Task { await jobs.finished() }
    try await passSecond()
    _ = try await reports.values(atLeast: 1)
    let ending = Task { await store.shutdown() }
    try await passSecond()
    let messages = try await reports.values(atLeast: 2).map(\.message)
    #expect(messages[0].hasPrefix("finished() of Office has waited for a second, for\njobs on "))
    #expect(messages[0].hasSuffix("\n  stopping #2 copy, started by action 1, waits for a gate"))
    #expect(messages[1].hasPrefix("shutdown() of Office"))
    #expect(messages[1].contains("jobs") && messages[1].contains("ticking"))
    gate.open()
    await finishing.value
    #expect(await ending.value.isClean)
  }

  @Test("a shutdown with deadlines is as long as they say, and tells nothing")
  func deadlines() async throws {
    let store = makeStore()
    _ = try await beginWork(in: store)
    let ending = Task { [clock] in
      await store.shutdown(graceful: .seconds(2), hard: .seconds(3), clock: clock)
    }
    for _ in 0..<2 {
      try await clock.sleepers(atLeast: 1)
      #expect(clock.sleepers.count == 1)
      clock.advance(by: .seconds(3))
    }
    #expect(await ending.value.unfinished.count == 2)
    #expect(reports.count == 0)
    gate.open()
  }

  @Test("a wait that need not suspend is not measured")
  func atRest() async {
    let store = makeStore()
    await store.settled()
    await store.shutdown()
    #expect(clock.sleepers.isEmpty)
    #expect(clock.now == .start)
  }

  @Test("a wait that has ended in time, or was cancelled, tells nothing", arguments: [false, true])
  func inTime(isCancelled: Bool) async throws {
    let store = makeStore()
    _ = try await beginWork(in: store)
    let waiting = Task { await store.settled() }
    try await clock.sleepers(atLeast: 1)
    if isCancelled { waiting.cancel() } else { gate.open() }
    await waiting.value
    try await nobodySleeps()
    clock.advance(by: .seconds(10))
    await store.settled(opening: gate)
    try await nobodySleeps()
    #expect(reports.count == 0)
  }

  @Test("E7: what measures a wait keeps nothing")
  func keepsNothing() async throws {
    weak var ended: AnyObject?
    do {
      let store = makeStore()
      ended = store.inside
      _ = try await beginWork(in: store)
      let waiting = Task { await store.settled() }
      try await clock.sleepers(atLeast: 1)
      waiting.cancel()
      await waiting.value
      gate.open()
    }
    try await eventually { ended == nil }
    #expect(reports.count == 0)
  }
}
#endif
