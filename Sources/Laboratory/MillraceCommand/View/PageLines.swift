import MillraceTrace

/// The lines of a recording in the format of a page: without checksums, which do not compress, and without the states
/// and values that would make the page too large.
enum PageLines {
  /// Which states, and which values of actions, are kept.
  enum Detail: Equatable {
    case all
    /// Only the states after these actions.
    case states(ClosedRange<UInt64>)
    /// Only the states after these actions, and the values of these actions.
    case statesAndValues(ClosedRange<UInt64>)
  }

  /// The size of a chunk in bytes. A chunk has whole lines, and is longer only if a single line is.
  static let chunkSize = 256 << 10

  /// The lines of a recording, or its last `count` lines, with its header.
  static func chunks(of text: TraceText, _ detail: Detail = .all, last count: Int = .max) -> [[UInt8]] {
    let lines = [.header(text.header)] + text.lines.suffix(count).map(\.line)
    return lines.reduce(into: []) { chunks, line in
      let bytes = bytes(of: reduced(line, to: detail))
      if let size = chunks.last?.count, size + bytes.count <= chunkSize {
        chunks[chunks.count - 1] += bytes
      } else {
        chunks.append(bytes)
      }
    }
  }

  /// The line with its line break and without its checksum; empty for a line of a later version.
  static func bytes(of line: TraceLine) -> [UInt8] {
    line == .unknown ? [] : LineWriter.bytes(of: line, isChecked: false)
  }

  private static func reduced(_ line: TraceLine, to detail: Detail) -> TraceLine {
    switch (line, detail) {
    case (.snapshot(var snapshot), .states(let kept)), (.snapshot(var snapshot), .statesAndValues(let kept)):
      if kept.contains(snapshot.sequence) { return line }
      snapshot.state = .text("")
      return .snapshot(snapshot)
    case (.action(var action), .statesAndValues(let kept)):
      if kept.contains(action.sequence) { return line }
      action.givenKind = action.kind
      action.payload = .text("")
      return .action(action)
    default: return line
    }
  }
}
