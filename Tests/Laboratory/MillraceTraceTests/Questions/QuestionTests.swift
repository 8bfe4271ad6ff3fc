import Foundation
import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

@Suite("Questions to a recording")
struct QuestionTests {
  /// A program that was ended while a price was asked for.
  static func killed() async throws -> TraceHistory {
    let gate = Gate()
    let memory = TraceMemory()
    let prices = Shop.PriceEffect { price in
      if price.name.hasPrefix("slow") {
        await withWaitReason("the till") { await gate.waitIgnoringCancellation() }
      }
    }
    let store = Store(initialState: Shop.State(), reduce: Shop.reduce)
    let recording = try store.record(to: .memory(memory), snapshotEvery: 1)
    Shop.connect(store, prices: prices)
    await store.send(.wanted("slow", count: 1))
    try await gate.waiters(atLeast: 1)
    await store.send(.unwanted("slow"))
    gate.open()
    await store.settled()
    gate.close()
    await store.send(.auditAsked(7))
    await store.settled()
    await store.send(.wanted("slow", count: 2))
    try await gate.waiters(atLeast: 1)
    try await recording.flush()
    // A task tells that it waits only after it has come to the gate.
    try await eventually {
      try TraceText(memory.bytes).lines.contains {
        guard case .wait(let wait) = $0.line else { return false }
        return wait.generation == 3 && wait.reason == "the till (a gate)"
      }
    }
    let text = try TraceText(memory.bytes)
    gate.open()
    try await recording.finish()
    return TraceHistory(text)
  }

  static func lines(_ answer: TraceAnswer) -> [String] {
    answer.sections.flatMap { [$0.heading] + $0.lines }
  }

  static func section(_ heading: String, of answer: TraceAnswer) -> [String] {
    answer.sections.first { $0.heading.hasPrefix(heading) }?.lines ?? []
  }

  @Test("which action started this run, and what was the outside cause")
  func why() async throws {
    let history = try await Self.killed()
    let answer = history.why(runsMatching: "Audit(number: 7)")
    #expect(answer.sections.map(\.heading) == ["Why audits #2 (Audit(number: 7))"])
    let lines = answer.sections[0].lines
    #expect(lines.count == 3)
    #expect(lines[0] == "run audits #2 (Audit(number: 7)), answered by its action 4")
    #expect(lines[1].hasPrefix("action 3 .auditAsked"))
    #expect(lines[2].hasPrefix("sent from outside, at MillraceTraceTests/QuestionTests.swift:"))
    let chain = history.why(action: 4).sections[0].lines
    #expect(chain.count == 4)
    #expect(chain[1].hasPrefix("sent by audits #2"))
    #expect(history.why(action: 99).isNegative)
    #expect(history.why(runsMatching: "nothing").isNegative)
  }

  @Test("a number with # names one run, not those whose numbers begin with it")
  func whyByNumber() async throws {
    let memory = TraceMemory()
    let store = Store(initialState: Set(1...12)) { (state: inout Set<Int>, done: Int) in state.remove(done) }
    let recording = try store.record(to: .memory(memory))
    store.connect(when: \.self, named: "count") { number, send in await send(number) }
    await store.settled()
    try await recording.finish()
    let history = TraceHistory(try TraceText(memory.bytes))
    #expect(history.why(runsMatching: "#1").sections.count == 1)
    #expect(history.why(runsMatching: "#1").sections[0].heading.hasPrefix("Why count #1 "))
    #expect(history.whyNot("#1", at: nil).sections[0].lines[0].contains("count #1 "))
    #expect(history.why(runsMatching: "#13").isNegative)
    #expect(history.why(runsMatching: "count").sections.count == 12)
  }

  @Test("why a request is not served at a moment")
  func whyNot() async throws {
    let history = try await Self.killed()
    let gone = history.whyNot("\"slow\"", at: 3)
    #expect(gone.isNegative == false)
    #expect(gone.sections[0].lines[0].contains("withdrawn by action 2"))
    #expect(gone.sections[0].lines[1].hasPrefix("that action: 2 .unwanted"))
    #expect(gone.sections[0].lines.last?.contains("asked for again by action 5") == true)
    let running = history.whyNot("\"slow\"", at: nil)
    #expect(running.isNegative)
    #expect(running.sections[0].lines[0].contains("is in progress"))
    #expect(running.sections[0].lines[1].contains("it waits for the till"))
    let early = history.whyNot("Audit", at: 1)
    #expect(early.sections[0].lines[0].hasPrefix("it is not asked for yet"))
    // Both effects have requests with a bracket: that of prices runs, that of audits does not.
    let both = history.whyNot("(", at: nil)
    #expect(both.isNegative)
    #expect(
      both.sections.map(\.heading)
        == ["audits", "prices"].map {
          "Why '(', of \($0) is not in progress after action 5"
        })
    #expect(both.sections[0].lines[0].contains("answered by its action 4"))
    #expect(both.sections[1].lines == running.sections[0].lines)
    #expect(history.whyNot("no such", at: 2).sections[0].lines[0].contains("nothing ever asked for it"))
  }

  @Test("what was in progress, what was fenced and why, what was busy, and what waited for what")
  func inspect() async throws {
    let history = try await Self.killed()
    let answer = history.inspection()
    let open = Self.section("In progress when the recording ended", of: answer)
    #expect(open.count == 1)
    #expect(open[0].hasPrefix("prices #3 ({\"name\":\"slow\",\"count\":2}): since +"))
    #expect(open[0].hasSuffix(", started by action 5, waits for the till (a gate)"))
    let fenced = Self.section("Fenced", of: answer)
    #expect(fenced.count == 1)
    #expect(fenced[0].contains("fenced .priced of prices #1"))
    #expect(fenced[0].hasSuffix("withdrawn by action 2 .unwanted"))
    #expect(Self.section("Effects", of: answer).count == 2)
    #expect(Self.section("Effects", of: answer).contains { $0.hasPrefix("prices: 2 runs") })
    #expect(Self.section("Longest waits", of: answer).contains { $0.contains(" for the till") })
    #expect(Self.section("Actions by case", of: answer).first == "2 .wanted")
    #expect(answer.json["open"]?.array?.count == 1)
    let grepped = history.inspection(grep: "audits")
    #expect(Self.section("Effects", of: grepped).count == 1)
  }

  @Test("what an action changed, and the state so many steps before the end")
  func show() async throws {
    let history = try await Self.killed()
    let second = history.show(2)
    #expect(Self.section("Made unwanted", of: second) == ["prices #1 ({\"name\":\"slow\",\"count\":1})"])
    #expect(Self.section("Changed", of: second) == ["wanted.slow: 1 removed"])
    let last = history.show(-1)
    #expect(Self.section("Changed", of: last) == ["wanted.slow: 2 added"])
    #expect(Self.section("Started", of: last).count == 1)
    let before = history.show(-3)
    #expect(before.json["action"] == .int(3))
    #expect(Self.section("State", of: before).contains("audits: [7]"))
    #expect(history.show(0).isNegative == false)
    #expect(history.show(6).isNegative)
    #expect(history.show(-7).isNegative)
  }

  @Test("what differs between two recordings")
  func diff() async throws {
    let (one, same) = (try await Self.killed(), try await Self.killed())
    #expect(TraceComparison.compare(one, same).isNegative == false)
    let other = TraceHistory(
      try TraceText(await record { await $0.send(.wanted("slow", count: 1)) }))
    let answer = TraceComparison.compare(one, other)
    #expect(answer.isNegative)
    let first = Self.section("First difference", of: answer)
    #expect(first[0] == "action 2")
    #expect(first[1].hasPrefix("- 2 .unwanted"))
    #expect(first[2].hasPrefix("+ 2 .priced"))
    #expect(Self.section("Requests", of: answer).contains("audits Audit(number: 7): 1 → 0"))
  }

  @Test("a recording that goes on is asked from within the program")
  func live() async throws {
    let gate = Gate()
    let prices = Shop.PriceEffect { _ in await gate.waitIgnoringCancellation() }
    let folder = try TemporaryFolder()
    for destination in [
      TraceDestination.memory(TraceMemory()), .file(folder.file("trace")), .ring(folder.file("ring")),
    ] {
      let store = Store(initialState: Shop.State(), reduce: Shop.reduce)
      let recording = try store.record(to: destination)
      Shop.connect(store, prices: prices)
      gate.close()
      await store.send(.wanted("tea", count: 1))
      try await gate.waiters(atLeast: 1)
      let questions = try await recording.questions()
      #expect(questions.whyNot("tea").contains("is in progress"))
      #expect(questions.whyRunning("tea").contains("action 1 .wanted"))
      #expect(questions.why(action: 1).contains("sent from outside"))
      #expect(questions.show(-1).contains("Started\n  prices #1"))
      let last = try #require(questions.lastAction)
      #expect(last == 1)
      #expect(questions.show(last) == questions.show(-1))
      #expect(questions.why(action: last) == questions.why(action: -1))
      for number in [last + 1, .max] {
        #expect(questions.why(action: number).hasPrefix("No action \(min(number, UInt64(Int64.max))) "))
      }
      #expect(questions.show(Int64.min).hasPrefix("No action \(Int64.min) in the recording"))
      #expect(questions.why(action: -2).hasPrefix("No action -2 in the recording"))
      #expect(questions.inspection.contains("1 actions, 1 runs"))
      gate.open()
      await store.settled()
      try await recording.finish()
    }
  }

  @Test("the program as a graph")
  func graph() async throws {
    let graph = TraceGraph(try await Self.killed())
    let dot = graph.text(.dot)
    #expect(dot.hasPrefix("digraph millrace {\n"))
    #expect(dot.contains("label=\".auditAsked\""))
    #expect(graph.text(.mermaid).hasPrefix("flowchart LR\n"))
    #expect(
      graph.json.array?.contains { $0["from"]?.string == "audits" && $0["to"]?.string == ".audited" } == true)
  }

  @Test("the export for Chrome is strict, and no slices of a lane overlap")
  func chrome() async throws {
    let text = ChromeExport.text(of: try await Self.killed())
    // Foundation's parser is strict.
    let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let events = try #require(root["traceEvents"] as? [[String: Any]])
    var ends: [String: Int] = [:]
    var flows: [Int: [String]] = [:]
    for event in events {
      let phase = try #require(event["ph"] as? String)
      let time = try #require(event["ts"] as? Int)
      let lane = "\(event["pid"] ?? 0).\(event["tid"] ?? 0)"
      if phase == "X" {
        #expect(time >= ends[lane, default: 0])
        ends[lane] = time + (try #require(event["dur"] as? Int))
      }
      if phase == "s" || phase == "f" { flows[try #require(event["id"] as? Int), default: []].append(phase) }
    }
    #expect(flows.values.allSatisfy { $0 == ["s", "f"] })
    #expect(flows.count >= 4)
    #expect(events.contains { $0["ph"] as? String == "i" && $0["name"] as? String == "fenced .priced" })
  }
}

@Suite("Differences of JSON")
struct JSONDifferenceTests {
  @Test(
    "differences of JSON are named by their path",
    arguments: [
      ("1", "1", []), ("1", "2", ["value: 1 → 2"]), ("{\"a\":1}", "{\"a\":1,\"b\":2}", ["b: 2 added"]),
      ("{\"a\":{\"b\":1}}", "{\"a\":{}}", ["a.b: 1 removed"]), ("[1,2,3]", "[1,3]", ["[1]: 2 removed"]),
      ("[1,2,3]", "[1,5,3]", ["[1]: 2 → 5"]), ("[]", "[1]", ["[0]: 1 added"]),
      (
        "[{\"id\":1,\"x\":1},{\"id\":2}]", "[{\"id\":2},{\"id\":1,\"x\":3}]",
        ["[1].x: 1 → 3", ": another order"]
      ),
      ("{\"a\":[{\"id\":1}]}", "{\"a\":[{\"id\":1},{\"id\":2}]}", ["a[2]: {\"id\":2} added"]),
    ])
  func lines(_ old: String, _ new: String, _ lines: [String]) throws {
    #expect(JSONDifference.lines(try JSONReader.read(old), try JSONReader.read(new)) == lines)
  }

  @Test("differences of JSON are listed up to a bound")
  func many() throws {
    let old = JSON.object((0..<50).map { JSON.Field("f\($0)", .int(0)) })
    let new = JSON.object((0..<50).map { JSON.Field("f\($0)", .int(1)) })
    let lines = JSONDifference.lines(old, new, atMost: 5)
    #expect(lines.count == 6)
    #expect(lines.last == "and 45 more")
  }
}
