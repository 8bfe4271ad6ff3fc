import Foundation
import MillraceTrace

/// Compares the cost per byte of reading recordings with lines of 1 MB and of 10 KB.
enum ReadingRecordings {
  static let cases = [
    shape("fields") { #"{"fields":{"_0":{"# + list($0 / 12) { "\"k\($0)\":\(1_000 + $0 % 1_000)" } + "}}}" },
    shape("numbers") { #"{"numbers":{"_0":["# + list($0 / 5) { "\(1_000 + $0 % 1_000)" } + "]}}" },
    shape("strings") { #"{"strings":{"_0":["# + list($0 / 19) { _ in #""abcdefghijklmnop""# } + "]}}" },
    shape("text") { #"{"strings":{"_0":[""# + String(repeating: "x", count: $0) + #""]}}"# },
    shape("escapes") { #"{"strings":{"_0":[""# + String(repeating: #"a\n\u00e9"#, count: $0 / 9) + #""]}}"# },
    shape("nested") { #"{"unknown":["# + list($0 / 41) { _ in nest } + "]}" },
  ]

  private static let nest = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)

  private enum Shape: Codable, Sendable {
    case fields([String: Int])
    case numbers([Int])
    case strings([String])
  }

  private static func list(_ count: Int, _ element: (Int) -> String) -> String {
    (0..<count).map(element).joined(separator: ",")
  }

  private static func shape(_ name: String, _ payload: @escaping @Sendable (Int) -> String) -> BenchmarkCase {
    Scaling.check("scaling/recorded-\(name)", few: 10_000, many: 1_000_000, limit: 6) { count in
      let path = FileManager.default.temporaryDirectory.appending(path: "shape-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let header =
        #"{"millrace-trace":1,"program":"p","pid":1,"store":"S","state":"S","action":"A","start":1.0,"redactions":[],"part":1}"#
      // Reads the small ones many times, so that one-time costs and opening the file matter little.
      let lines = (1...max(1, 1_000_000 / count)).map {
        #"{"a":\#($0),"t":1,"p":\#(payload(count)),"at":"m.swift:1"}"#
      }
      let text = ([header] + lines).map { $0 + "\n" }.joined()
      try Data(text.utf8).write(to: URL(filePath: path))
      let watch = Stopwatch()
      let replay = try Replay<Int, Shape>(of: path) { state, _ in state += 1 }
      let cost = watch.nanoseconds(per: text.utf8.count)
      try expect("last action", replay.lastAction ?? 0, is: UInt64(lines.count))
      return cost
    }
  }
}
