import Foundation
import Millrace
import TestSupport
import Testing

@testable import MillraceTrace

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
    arguments: 1...UInt64(TestSize.count(2, full: 8)))
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
      let memory = TraceMemory()
      memory.append(Array(text.utf8))
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
