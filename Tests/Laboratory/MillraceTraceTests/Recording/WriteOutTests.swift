import Foundation
import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

@Suite("A recording is written out", .timeLimit(.minutes(10)))
struct WriteOutTests {
  private let folder: TemporaryFolder
  private var out: String { folder.file("out.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  private func isThere() -> Bool { FileManager.default.fileExists(atPath: out) }

  @Test("a call writes a recording out, from each destination", arguments: ["ring", "file", "memory"])
  func called(kind: String) async throws {
    let store = Shop.store()
    let destination: TraceDestination =
      switch kind {
      case "ring": .ring(folder.file("ring"), bytes: 64 << 10)
      case "file": .file(folder.file("file"))
      default: .memory(TraceMemory())
      }
    let recording = try store.record(to: destination)
    for number in 0..<1000 { await store.send(.auditAsked(number % 10)) }
    try await recording.writeOut(to: out)
    let text = try FileTests.read(out)
    #expect(text.damage == nil && text.tornLine == nil)
    #expect(text.actions.last.map { $0.sequence >= 1000 } == true)
    let mode = try FileManager.default.attributesOfItem(atPath: out)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let failure = await #expect(throws: TraceFailure.self) {
      try await recording.writeOut(to: "/no/such/place")
    }
    #expect(failure?.description.hasPrefix("/no/such/place cannot be written") == true)
  }

  @Test("on a failure of a run, and not on another occasion")
  func failure() async throws {
    let store = Shop.store()
    let recording = try store.record(to: .ring(folder.file("ring")))
    recording.writeOut(to: out, on: [.failure])
    await store.send(.wanted("tea", count: 1))
    await store.settled()
    await store.send(.auditAsked(1))
    await store.settled()
    try await recording.flush()
    #expect(!isThere())
    await store.send(.wanted("", count: 1))
    await store.settled()
    try await recording.flush()
    let failures = try FileTests.read(out).runs.filter { if case .fail = $0.event { true } else { false } }
    #expect(failures.count == 1)
  }

  @Test("on a report of the store, which is a line of it")
  func diagnostic() async throws {
    struct Clashing: EffectComponent {
      func id(of number: Int) -> Int { 0 }
      func requests(in state: Int) -> Set<Int> { state > 0 ? [1, 2] : [] }
      func run(_ number: Int, send: Send<Int>) async {}
    }
    let options = StoreOptions(diagnostics: StoreDiagnostics { _ in })
    let store = Store(initialState: 0, options: options) { (state: inout Int, step: Int) in state += step }
    let recording = try store.record(to: .ring(folder.file("ring")))
    recording.writeOut(to: out, on: [.diagnostic])
    store.connect(Clashing())
    try await recording.flush()
    #expect(!isThere())
    await store.send(1)
    await store.settled()
    // The report is made after the turn. The store may have made one of a long wait before.
    try await eventually {
      guard isThere() else { return false }
      return try FileTests.read(out).notes.contains {
        $0.kind == "diagnostic" && $0.text.contains("asks for two requests of one identity")
      }
    }
  }

  @Test("on a shutdown that leaves work behind, and not on one that does not")
  func unclean() async throws {
    let gate = Gate()
    for isClean in [true, false] {
      if isClean { gate.open() } else { gate.close() }
      let store = Shop.store(prices: Shop.PriceEffect { _ in await gate.waitIgnoringCancellation() })
      let recording = try store.record(to: .ring(folder.file("ring")))
      recording.writeOut(to: out, on: [.uncleanShutdown])
      await store.send(.wanted("tea", count: 1))
      if !isClean { try await gate.waiters(atLeast: 1) }
      let clock: any Clock<Duration> = isClean ? TestClock() : ImmediateClock()
      let report = await store.shutdown(hard: .milliseconds(1), clock: clock)
      #expect(report.unfinished.isEmpty == isClean)
      // Past its hard deadline a shutdown waits for nothing, the end of the recording neither.
      try await recording.finish()
      #expect(isThere() != isClean)
    }
    let history = TraceHistory(try FileTests.read(out))
    #expect(history.open.map(\.start.name) == ["prices"])
    gate.open()
  }

  @Test("a line that is too large for a ring is a gap, and no state is made up behind it")
  func tooLarge() async throws {
    let reduce: Reducer<Int, String> = { state, text in state += text.utf8.count }
    let store = Store(initialState: 0, reduce: reduce)
    let ring = folder.file("ring")
    let recording = try store.record(to: .ring(ring, bytes: 64 << 10))
    await store.send("ab")
    await store.send(String(repeating: "x", count: 20_000))
    for _ in 1...3 {
      await store.send("c")
      try await recording.flush()
      let last = try? Replay(of: ring, reduce: reduce).lastState()
      #expect(last == nil || last == store.state)
    }
    let text = try FileTests.read(ring)
    #expect(text.lines.contains { if case .gap = $0.line { true } else { false } })
    try await recording.flush()
    #expect(try Replay(of: ring, reduce: reduce).lastState() == store.state)
  }

  #if !os(iOS)
  @Test("on a signal")
  func signal() async throws {
    let store = Shop.store()
    let recording = try store.record(to: .ring(folder.file("ring")))
    // A signal that no other test of this process uses.
    recording.writeOut(to: out, on: [.signal(SIGURG)])
    await store.send(.auditAsked(1))
    try await recording.flush()
    #expect(!isThere())
    var looks = 0
    try await eventually {
      // Now and then, since it is ignored until Dispatch watches it, which nothing announces.
      if looks.isMultiple(of: 100) { kill(getpid(), SIGURG) }
      looks += 1
      return isThere()
    }
    #expect(try FileTests.read(out).notes.map(\.text).contains("\(SIGURG)"))
  }
  #endif
}
