import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

@Suite("A recording knows which value a run had at any moment")
struct HandedOverTests {
  /// One run that gets each wanted number.
  struct KeepEffect: EffectComponent {
    let gate: Gate
    var replacement: RequestReplacement { .handOver }
    func id(of number: Int) -> String { "kept" }
    func requests(in wanted: Int) -> Set<Int> { wanted > 0 ? [wanted] : [] }
    func run(_ number: Int, send: Send<Int>) async { await gate.waitIgnoringCancellation() }
  }

  /// 101 is asked for by action 1, 102 by action 2, 103 by action 3, nothing by action 4.
  private static func record(to destination: TraceDestination, before: [Int] = []) async throws {
    let gate = Gate()
    let store = Store(initialState: 0) { (wanted: inout Int, next: Int) in wanted = next }
    let keep = { store.connect(KeepEffect(gate: gate), named: "keep") }
    if !before.isEmpty { _ = keep() }
    for number in before { await store.send(number) }
    let recording = try store.record(to: destination, snapshotEvery: 2)
    if before.isEmpty { _ = keep() }
    for number in [101, 102, 103, 0] { await store.send(number) }
    gate.open()
    await store.settled()
    try await recording.finish()
  }

  private static func history(before: [Int] = []) async throws -> TraceHistory {
    let memory = TraceMemory()
    try await record(to: .memory(memory), before: before)
    return TraceHistory(try TraceText(memory.bytes))
  }

  @Test("a value that another was handed over after is found, and so is the action that did it")
  func whyNot() async throws {
    let history = try await Self.history()
    let running = history.whyNot("101", at: 1)
    #expect(running.isNegative)
    #expect(running.sections[0].lines[0].hasPrefix("keep #1 (101) is in progress"))
    let after = QuestionTests.lines(history.whyNot("101", at: 2))
    #expect(after[1].hasPrefix("the last run, keep #1 (101), got 102 by action 2"), "\(after)")
    #expect(after[2].hasPrefix("that action: 2"))
    let early = QuestionTests.lines(history.whyNot("103", at: 2))
    #expect(early[1].hasPrefix("it is not asked for yet: keep #1 (103)"), "\(early)")
    #expect(early[2].hasPrefix("  action 3"))
    #expect(QuestionTests.lines(history.whyNot("103", at: 4))[1].contains("withdrawn by action 4"))
    #expect(QuestionTests.lines(history.whyNot("keep", at: 2))[1].hasPrefix("keep #1 (102) is in progress"))
    #expect(QuestionTests.lines(history.whyNot("104", at: 2))[1].contains("nothing ever asked for it"))
  }

  @Test("the cause of a value is the action that asked for it, not the one that began the run")
  func whyRunning() async throws {
    let history = try await Self.history()
    let last = history.why(runsMatching: "103")
    #expect(last.sections.map(\.heading) == ["Why keep #1 (103)"])
    #expect(last.sections[0].lines[0] == "run keep #1 (103), withdrawn by action 4")
    #expect(last.sections[0].lines[1].hasPrefix("action 3 "))
    let first = history.why(runsMatching: "101")
    #expect(first.sections[0].lines[0] == "run keep #1 (101), got 102 by action 2")
    #expect(first.sections[0].lines[1].hasPrefix("action 1 "))
    #expect(history.why(runsMatching: "keep").sections.map(\.heading) == ["Why keep #1 (103)"])
    #expect(history.why(runsMatching: "#1").sections.map(\.heading) == ["Why keep #1 (103)"])
  }

  @Test("each step shows the values of its moment")
  func show() async throws {
    let history = try await Self.history()
    #expect(QuestionTests.section("Started", of: history.show(1))[0].hasPrefix("keep #1 (101), "))
    let handed = QuestionTests.section("Handed over", of: history.show(2))
    #expect(handed == ["keep #1 (102), got 103 by action 3"])
    #expect(
      QuestionTests.section("Handed over", of: history.show(3)) == ["keep #1 (103), withdrawn by action 4"])
    #expect(QuestionTests.section("Made unwanted", of: history.show(4)) == ["keep #1 (103)"])
    let other = try await Self.history()
    #expect(!TraceComparison.compare(history, other).isNegative)
    #expect(
      QuestionTests.section(
        "Requests", of: TraceComparison.compare(history, try await Self.history(before: [100]))
      )
      .contains("keep 100: 0 → 1"))
  }

  @Test("a recording that began later tells what it does not know")
  func late() async throws {
    let history = try await Self.history(before: [99, 100])
    let running = history.why(runsMatching: "100")
    #expect(
      running.sections[0].lines.contains { $0.contains("before the recording") },
      "\(running.sections[0].lines)")
    #expect(!running.sections[0].lines.contains { $0.hasPrefix("action 1") })
    let missing = QuestionTests.lines(history.whyNot("99", at: nil))
    #expect(!missing[1].contains("nothing ever asked"), "\(missing)")
    #expect(QuestionTests.lines(history.whyNot("100", at: 3))[1].contains("got 101 by action 3"))
  }

  @Test("a store that is asked itself tells a value that was handed over from the one that began the run")
  func live() async throws {
    let gate = Gate()
    let store = Store(initialState: 0) { (wanted: inout Int, next: Int) in wanted = next }
    store.connect(KeepEffect(gate: gate), named: "keep")
    await store.send(101)
    #expect(store.whyNot(101).contains("serves it by run #1, started by action 1"))
    await store.send(102)
    #expect(
      store.whyNot(102).contains(
        "serves it by run #1, to which it was handed over: the run was started by action 1"))
    #expect(store.whyNot(101).contains("does not ask for it"))
    gate.open()
    await store.shutdown()
  }

  @Test("a recording that goes on in a new file knows the values in it")
  func rotated() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("trace")
    let gate = Gate()
    let store = Store(initialState: 0) { (wanted: inout Int, next: Int) in wanted = next }
    let recording = try store.record(to: .file(path, rotatingAt: 2000), snapshotEvery: 1)
    store.connect(KeepEffect(gate: gate), named: "keep")
    for number in 1...40 { await store.send(1000 + number) }
    try await recording.flush()
    let history = try TraceHistory(contentsOf: path)
    // The newest file may have begun with the last action.
    let first = history.firstSequence ?? history.lastSequence + 1
    #expect(first > 2)
    let lines = history.why(runsMatching: "\(1000 + first - 1)").sections[0].lines
    #expect(lines.contains { $0.hasPrefix("action \(first - 1)") }, "\(lines)")
    gate.open()
    await store.shutdown()
  }
}
