import CMillracePage
import Foundation
import MillraceTrace

/// A recording as one HTML page that loads nothing else.
///
/// The page has the lines of the recording, deflated and in base64, and its own script reads them. The contents of a
/// recording are data for that script, never a part of the page. The page's security policy allows only its own script
/// and style, and no request.
struct Page {
  /// The offset from which a server gives the page of a running program further lines, and the number of the recording
  /// among those that the file has had.
  typealias Following = (offset: Int, number: Int)

  /// The size that a page does not exceed if states and values can be left out.
  static let budget = 10_000_000

  /// The bytes of the page.
  let bytes: [UInt8]
  /// A description of what was left out for its size; `nil` if nothing was.
  private(set) var leftOut: String?

  /// Makes the page of a recording.
  ///
  /// - Parameters:
  ///   - states: the actions whose states are shown if not all fit; by default the last ones.
  ///   - budget: the size in bytes above which first states are left out, then values.
  init(
    _ history: TraceHistory, states: ClosedRange<UInt64>? = nil, following: Following? = nil,
    budget: Int = Page.budget
  ) {
    let text = history.text
    var chunks = PageLines.chunks(of: text, states: states).flatMap(Self.element)
    let room = budget - Self.templateSize - 2_000  // for the rest of the page
    if chunks.count > room {
      let range = states ?? Self.lastActions(history, share: Double(room) / Double(chunks.count))
      chunks = PageLines.chunks(of: text, states: range).flatMap(Self.element)
      leftOut = "States are those after actions \(range.lowerBound) to \(range.upperBound)"
      if chunks.count > room {
        chunks = PageLines.chunks(of: text, states: range, values: range).flatMap(Self.element)
        leftOut! += ", and so are the values of actions"
      }
      // If the page is still too large, its first lines are left out.
      var lines = text.lines.count
      while chunks.count > room, lines > 1 {
        lines = min(lines - 1, Int(Double(lines) * Double(max(room, 0)) / Double(chunks.count) * 0.9))
        chunks = PageLines.chunks(of: text, states: range, values: range, last: lines).flatMap(Self.element)
      }
      if lines < text.lines.count {
        leftOut! += ", of the last \(lines) of \(text.lines.count) lines"
      }
      leftOut! += ": with all of them the page would be too large. --states FROM-TO chooses others."
    } else if let states {
      leftOut = "States are those after actions \(states.lowerBound) to \(states.upperBound), as asked for."
    }
    bytes = Self.page(
      meta: Self.meta(text, leftOut, following), chunks: chunks, connects: following != nil)
  }

  /// The range of the last actions whose states are about as large as the room for them.
  private static func lastActions(_ history: TraceHistory, share: Double) -> ClosedRange<UInt64> {
    let first = history.firstSequence ?? 0
    let last = max(history.lastSequence, first)
    return last - UInt64(Double(last - first) * min(1, share) * 0.7)...last
  }

  // MARK: Parts

  /// The element with some of the lines, deflated if there is zlib, in base64.
  private static func element(_ lines: [UInt8]) -> [UInt8] {
    let deflated = Deflate.deflated(lines)
    let isDeflated = deflated == nil ? "no" : "yes"
    let start = "<script type=\"text/plain\" class=\"chunk\" data-deflated=\"\(isDeflated)\">"
    return Array(start.utf8) + Data(deflated ?? lines).base64EncodedData() + Array("</script>\n".utf8)
  }

  private static func meta(_ text: TraceText, _ leftOut: String?, _ following: Following?) -> JSON {
    var json: JSON = [:]
    json["torn"] = text.tornLine.map { .number($0) }
    json["damage"] = text.damage.map { ["line": .number($0.line), "problem": .string($0.problem)] }
    json["leftOut"] = leftOut.map { .string($0) }
    json["follow"] = following.map {
      ["path": .string("lines"), "offset": .number($0.offset), "number": .number($0.number)]
    }
    return json
  }

  private static let template = String(cString: millrace_page_html())
  private static let style = String(cString: millrace_page_css())
  private static let script = String(cString: millrace_page_js())
  /// The page without a recording.
  static let templateSize = template.utf8.count + style.utf8.count + script.utf8.count

  private static func page(meta: JSON, chunks: [UInt8], connects: Bool) -> [UInt8] {
    let nonce = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    let values: [Substring: [UInt8]] = [
      "NONCE": Array(nonce.utf8), "CONNECT": Array((connects ? "'self'" : "'none'").utf8),
      "STYLE": Array(style.utf8), "SCRIPT": Array(script.utf8),
      "META": Array(Data(meta.text.utf8).base64EncodedData()), "CHUNKS": chunks,
    ]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(templateSize + chunks.count + 1000)
    // The text of the template and the names of values take turns, separated by `@`.
    for (index, part) in template.split(separator: "@", omittingEmptySubsequences: false).enumerated() {
      bytes += index.isMultiple(of: 2) ? Array(part.utf8) : values[part] ?? []
    }
    return bytes
  }
}
