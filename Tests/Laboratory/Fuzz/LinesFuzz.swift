@testable import MillraceTrace

private struct Line: Equatable {
  let number: Int
  let result: Result<TraceLine, LineReader.Failure>
}

private func lines(_ parts: [[UInt8]]) -> [Line] {
  var (scanner, lines) = (LineScanner(), [Line]())
  func take(_ next: LineScanner.Next?) -> Bool {
    guard case .line(let number, let result)? = next else { return false }
    lines.append(Line(number: number, result: result))
    return true
  }
  for part in parts {
    scanner.add(part)
    while take(scanner.next()) {}
  }
  _ = take(scanner.rest())
  return lines
}

/// A recording's lines are the same in any parts; its history can be told whatever they say.
func fuzzLines(_ bytes: [UInt8]) {
  check(lines([bytes]) == lines(cut(bytes)), "parts give other lines")
  guard let text = try? TraceText(bytes) else { return }
  let history = TraceHistory(text)
  check(history.sequences(from: 0).count == history.actions.count, "an action is lost")
  for run in history.sortedRuns { check(!run.text.isEmpty, "a run without a text") }
}
