import Foundation
import Millrace
import MillraceTrace
import TestSupport
import Testing

@Suite("A damaged recording: a clear word, no crash, and all before the damage readable")
struct DamageTests {
  private static let header =
    #"{"millrace-trace":1,"program":"p","pid":1,"store":"S","state":"S","action":"A","start":1.0,"redactions":[],"part":1}"#
  private static let start = #"{"s":0,"t":0,"x":"State","live":[],"connected":[]}"#

  static func recording() async throws -> [UInt8] {
    try await record(every: 2) { store in
      store.dispatch(.wanted("tea", count: 2))
      store.dispatch(.auditAsked(1))
      store.dispatch(.wanted("", count: 1))
      await store.settled()
      await store.send(.cleared)
    }
  }

  /// The offsets at which lines end.
  static func ends(_ bytes: [UInt8]) -> [Int] { bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") } }

  @Test("cut at every byte, its whole lines are read, and the torn one is said")
  func cut() async throws {
    let bytes = try await Self.recording()
    let ends = Self.ends(bytes)
    for length in stride(from: ends[0] + 1, to: bytes.count, by: TestSize.isFull ? 1 : 3) {
      let text = try TraceText(Array(bytes[..<length]))
      let whole = ends.count { $0 < length }
      // Without its end a line is complete.
      let isComplete = ends.contains(length)
      #expect(text.lines.count == whole - 1 + (isComplete ? 1 : 0))
      #expect((text.tornLine == nil) == (isComplete || bytes[length - 1] == UInt8(ascii: "\n")))
      #expect(text.damage == nil)
      if let torn = text.tornLine { #expect(torn == whole + 1) }
    }
  }

  @Test(
    "a file whose numbers have a hole of any size is answered from the actions that it has",
    arguments: [1 << 40, LineReader.largestNumber])
  func hole(last: UInt64) throws {
    let folder = try TemporaryFolder()
    let lines = [
      Self.header, Self.start,
      #"{"a":1,"t":5,"p":{"one":{}},"at":"m.swift:1"}"#,
      #"{"a":\#(last),"t":9,"p":{"far":{}},"at":"m.swift:2"}"#,
    ]
    try folder.write(Data((lines.joined(separator: "\n") + "\n").utf8), to: "hole")
    let questions = try TraceQuestions(of: folder.file("hole"))
    #expect(questions.lastAction == last)
    #expect(questions.show(-1).contains(".far"))
    let history = try TraceHistory(contentsOf: folder.file("hole"))
    #expect(history.sequences(from: 1) == [1, last])
    let comparison = TraceComparison.compare(history, history)
    #expect(!"\(comparison.json)".contains("first"))
  }

  @Test(
    "a number that no recording reaches is damage, and is named",
    arguments: [
      #"{"a":0,"t":9,"p":{"far":{}},"at":"m.swift:2"}"#,
      #"{"a":9007199254740993,"t":9,"p":{"far":{}},"at":"m.swift:2"}"#,
      #"{"a":2,"t":18446744073709551615,"p":{"far":{}},"at":"m.swift:2"}"#,
      #"{"a":2,"t":9,"p":{"far":{}},"at":"m.swift:2","d":9223372036854775808}"#,
      #"{"g":9223372036854775807,"details":0,"t":9}"#,
    ])
  func unreachable(line: String) throws {
    let text = try TraceText(Array([Self.header, Self.start, line].map { $0 + "\n" }.joined().utf8))
    #expect(text.lines.count == 1)
    #expect(text.damage?.line == 3)
    #expect(text.damage?.problem.contains("'") == true)
  }

  @Test("the largest numbers are added up")
  func largest() throws {
    let folder = try TemporaryFolder()
    let most = LineReader.largestNumber
    var lines = [Self.header, Self.start, #"{"a":1,"t":0,"p":{"one":{}},"at":"m.swift:1"}"#]
    for number in 1...2_100 {
      lines.append(#"{"r":\#(number),"e":"start","t":0,"n":"E","c":2,"p":1}"#)
      lines.append(#"{"g":\#(most),"details":0,"t":0}"#)
    }
    lines.append(#"{"end":true,"t":\#(most)}"#)
    try folder.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: "largest")
    let questions = try TraceQuestions(of: folder.file("largest"))
    let history = try TraceHistory(contentsOf: folder.file("largest"))
    #expect(history.effects.map(\.time) == [most])
    #expect(questions.inspection.contains("\(most) events were lost in 2100 gaps"))
    #expect(questions.whyNot("nothing", at: .max).contains("nothing"))
  }

  @Test("causes in a circle end")
  func circle() throws {
    let folder = try TemporaryFolder()
    let lines = [
      Self.header, Self.start, #"{"r":1,"e":"start","t":1,"n":"E","c":2,"by":1,"p":1}"#,
      #"{"a":1,"t":2,"p":{"one":{}},"run":1,"by":1,"at":"m.swift:1"}"#,
    ]
    try folder.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: "circle")
    let questions = try TraceQuestions(of: folder.file("circle"))
    #expect(questions.why(action: 1).hasSuffix("action 1, which is not before it: the recording was changed"))
    #expect(questions.whyRunning("#1").contains("not before it"))
  }

  @Test("cut within its header it is no recording, and that is said")
  func cutHeader() async throws {
    let bytes = try await Self.recording()
    for length in 0..<Self.ends(bytes)[0] {
      let damage = #expect(throws: TraceText.Damage.self) { try TraceText(Array(bytes[..<length])) }
      #expect(damage?.line == 1)
      #expect(damage?.problem.contains(length == 0 ? "is empty" : "no header of a recording") == true)
    }
  }

  @Test("with one changed byte, it is read up to that line, which is named")
  func flipped() async throws {
    let bytes = try await Self.recording()
    let ends = Self.ends(bytes)
    var random = SeededGenerator(seed: 1)
    for index in stride(from: ends[0] + 1, to: bytes.count, by: TestSize.isFull ? 1 : 3)
    where !ends.contains(index) {
      var changed = bytes
      changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let text = try TraceText(changed)
      let line = ends.count { $0 < index } + 1
      // What is changed in the mark of a checksum alone hides that there is one.
      if text.lines.count == ends.count - 1, text.damage == nil { continue }
      if text.tornLine != nil { continue }
      #expect(text.damage?.line == line)
      #expect(text.lines.count == line - 2)
    }
  }

  @Test("a changed byte of a replayed recording is a verdict with its line")
  func verdict() async throws {
    let bytes = try await Self.recording()
    let end = Self.ends(bytes)[6]
    var changed = bytes
    // In a number before the checksum: the line stays JSON, wherever the code of the test stands.
    let digits = UInt8(ascii: "2")...UInt8(ascii: "9")
    changed[try #require(changed[..<(end - 30)].lastIndex(where: digits.contains))] ^= 1
    let memory = TraceMemory(changed)
    let verdict = try Replay(of: memory, reduce: Shop.reduce) { Shop.connect($0) }.verdict()
    #expect(verdict == .damaged(afterLine: 6, problem: "differs from its checksum"))
    #expect(verdict.exitCode == 4)
    #expect("\(verdict)" == "damaged after line 6: line 7 differs from its checksum; the same as far as that")
  }

  @Test("without one of its lines it is damaged there, and the code is not blamed")
  func missingLine() async throws {
    let bytes = try await Self.recording()
    let ends = Self.ends(bytes)
    for line in 1..<ends.count - 1 {
      let memory = TraceMemory(Array(bytes[...ends[line - 1]]) + bytes[(ends[line] + 1)...])
      let verdict = try Replay(of: memory, reduce: Shop.reduce) { Shop.connect($0) }.verdict()
      guard case .damaged(afterLine: line, let problem) = verdict else {
        Issue.record("without line \(line + 1): \(verdict)")
        continue
      }
      #expect(problem.contains("line"), "\(problem)")
    }
  }

  @Test("with two of its lines exchanged, or one of them twice, it is damaged there")
  func movedLine() async throws {
    let bytes = try await Self.recording()
    let ends = Self.ends(bytes)
    let lines = zip([-1] + ends, ends).map { Array(bytes[($0 + 1)...$1]) }
    for line in 1..<lines.count - 1 {
      var (moved, twice) = (lines, lines)
      moved.swapAt(line, line + 1)
      twice.insert(lines[line], at: line)
      #expect(try TraceText(Array(moved.joined())).damage?.line == line + 1)
      #expect(try TraceText(Array(twice.joined())).damage?.line == line + 2)
    }
  }

  @Test("a recording of the former format, whose lines have no numbers, is read; a missing action is seen")
  func unnumbered() async throws {
    let text = try TraceText(try await Self.recording())
    func verdict(without number: Int?) throws -> ReplayVerdict {
      let memory = TraceMemory(text.header, text.lines.filter { $0.number != number }.map(\.line))
      return try Replay(of: memory, reduce: Shop.reduce) { Shop.connect($0) }.verdict()
    }
    #expect(try verdict(without: nil).isSame)
    for line in text.lines {
      guard case .action(let action) = line.line, action.sequence < text.actions.count else { continue }
      guard case .damaged(_, let problem) = try verdict(without: line.number) else {
        Issue.record("without action \(action.sequence): \(try verdict(without: line.number))")
        continue
      }
      #expect(problem.contains("action \(action.sequence)"), "\(problem)")
    }
  }

  @Test(
    "a checksum is compared however it is written",
    arguments: [
      "000000000001", "100000000000", "123456789012345678901234567890", "1.5", "-1", "\"1\"", "null", "[1]",
      " 1",
      "4294967296",
    ])
  func checksum(_ written: String) throws {
    let line = ##"{"a":1,"t":5,"p":{"one":{}},"at":"m.swift:1","#":\##(written)}"##
    let text = try TraceText(Array([Self.header, Self.start, line].map { $0 + "\n" }.joined().utf8))
    #expect(text.damage?.line == 3)
    #expect(text.lines.count == 1)
  }

  @Test("of another version it is not read, and the version is said")
  func version() throws {
    let damage = #expect(throws: TraceText.Damage.self) {
      try TraceText(text: "{\"millrace-trace\":2,\"x\":[]}\n")
    }
    #expect(damage?.problem == "is of version 2 of the format, and this program reads 1")
    for other in ["\n\n", "hello\n", "{}\n", "[]\n", "{\"a\":1}\n", "{\"millrace-trace\":\"1\"}\n"] {
      #expect(throws: TraceText.Damage.self) { try TraceText(text: other) }
    }
  }

  @Test("random mutations end in a word, whatever they are")
  func mutations() async throws {
    let bytes = try await Self.recording()
    var random = SeededGenerator(seed: 27)
    var (read, damaged, refused) = (0, 0, 0)
    let rounds = TestSize.count(1_000, full: 20_000)
    for round in 0..<rounds {
      if round % 500 == 0 { await Task.yield() }
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&changed, &random) }
      do {
        let text = try TraceText(changed)
        read += 1
        if text.damage != nil { damaged += 1 }
        if round % 100 == 0 {
          let memory = TraceMemory(changed)
          _ = try Replay(of: memory, reduce: Shop.reduce) { Shop.connect($0) }.verdict()
          _ = TraceHistory(text)
        }
      } catch {
        refused += 1
        #expect(!"\(error)".isEmpty)
      }
    }
    #expect(read > rounds / 2)
    #expect(damaged > rounds / 4)
    #expect(refused > rounds / 200)
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    if bytes.isEmpty { return }
    let index = bytes.indices.randomElement(using: &random)!
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.remove(at: index)
    case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
    case 4: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...200, using: &random)))
    default:
      let end = min(bytes.count, index + Int.random(in: 1...200, using: &random))
      bytes.insert(contentsOf: Array(bytes[index..<end]), at: bytes.indices.randomElement(using: &random)!)
    }
  }
}

/// Lines that somebody has made need not fit together, and their checksums may be right.
@Suite("A forged recording") struct ForgedRecordingTests {
  private static let values: [JSON] = [
    .null, .bool(true), .int(0), .int(-1), .int(1), .int(2), .int(.max), .int(.min), .int(1 << 53),
    .number(UInt64.max), .double(1.5), .double(1e308), .string(""), .string("x"), .array([]), .object([]),
  ]

  /// Lines that are left out, doubled or moved, and fields that are left out, exchanged or have other values.
  private static func forged(_ lines: [JSON], _ random: inout SeededGenerator) -> [JSON] {
    var lines = lines
    for _ in 0...Int.random(in: 0..<4, using: &random) {
      // The header stays.
      let index = Int.random(in: 1..<lines.count, using: &random)
      let other = Int.random(in: 1..<lines.count, using: &random)
      guard var fields = lines[index].fields, let field = fields.indices.randomElement(using: &random) else {
        continue
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where lines.count > 2: lines.remove(at: index)
      case 1: lines.insert(lines[other], at: index)
      case 2: lines.swapAt(index, other)
      case 3:
        fields.remove(at: field)
        lines[index] = .object(fields)
      case 4:
        guard let given = lines[other].fields?.randomElement(using: &random) else { continue }
        fields[field] = JSON.Field(fields[field].key, given.value)
        lines[index] = .object(fields)
      case 5:
        fields[field] = JSON.Field(fields[field].key, .int(.random(in: 0...8, using: &random)))
        lines[index] = .object(fields)
      default:
        fields[field] = JSON.Field(fields[field].key, values.randomElement(using: &random) ?? .null)
        lines[index] = .object(fields)
      }
    }
    return lines
  }

  @Test(
    "all questions to it are answered, and a replay of it ends with a verdict",
    arguments: 1...UInt64(TestSize.count(1, full: 8)))
  func answered(seed: UInt64) async throws {
    let bytes = try await record(every: 2) { store in
      store.dispatch(.wanted("tea", count: 2))
      store.dispatch(.auditAsked(1))
      await store.settled()
      store.dispatch(.wanted("milk", count: 1))
      await store.send(.cleared)
    }
    let whole = try TraceHistory(TraceText(bytes))
    let lines = try bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let json = try JSONReader.read(Array(line), in: 0..<line.count)
      return JSON.object(json.fields?.filter { $0.key != "#" && $0.key != "l" } ?? [])
    }
    var random = SeededGenerator(seed: seed)
    for _ in 1...150 {
      let text = Self.forged(lines, &random).map { $0.text + "\n" }.joined()
      let memory = TraceMemory(Array(text.utf8))
      let history = TraceHistory(try TraceText(text: text))
      var answers = [history.inspection(), history.show(-1), history.why(runsMatching: "tea")]
      answers += [TraceComparison.compare(history, whole), TraceComparison.compare(whole, history)]
      for number in [0, 1, 2, 9] as [UInt64] {
        answers += [history.why(action: Int64(clamping: number)), history.show(Int64(number))]
        answers.append(history.whyNot("tea", at: number))
      }
      var written = answers.map(\.json.text)
      written += [ChromeExport.text(of: history), TraceGraph(history).json.text]
      #expect(throws: Never.self) { for text in written { _ = try JSONReader.read(text) } }
      let replay = try Replay(of: memory, reduce: Shop.reduce) { Shop.connect($0) }
      _ = (replay.verdict(), try? replay.state(at: 3), try? replay.lastState())
    }
  }
}
