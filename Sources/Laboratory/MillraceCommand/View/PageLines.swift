import MillraceTrace

/// The lines of a recording in the format of a page: without checksums, which do not compress, and without the states
/// and values that would make the page too large.
enum PageLines {
  /// The size of a chunk in bytes. A chunk has whole lines, and is longer only if a single line is.
  static let chunkSize = 256 << 10

  /// The lines of a recording, or its last `count` lines, with its header.
  ///
  /// - Parameters:
  ///   - states: the actions after which states are kept; `nil` keeps all states.
  ///   - values: the actions whose values are kept; `nil` keeps all values.
  static func chunks(
    of text: TraceText, states: ClosedRange<UInt64>? = nil, values: ClosedRange<UInt64>? = nil,
    last count: Int = .max
  ) -> [[UInt8]] {
    let lines = text.lines.suffix(count).lazy.map(\.line)
    return lines.reduce(into: [bytes(of: .header(text.header))]) { chunks, line in
      let bytes = bytes(of: reduced(line, states, values))
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

  private static func reduced(
    _ line: TraceLine, _ states: ClosedRange<UInt64>?, _ values: ClosedRange<UInt64>?
  ) -> TraceLine {
    switch line {
    case .snapshot(var snapshot):
      if states?.contains(snapshot.sequence) ?? true { return line }
      snapshot.state = .text("")
      return .snapshot(snapshot)
    case .action(var action):
      if values?.contains(action.sequence) ?? true { return line }
      action.givenKind = action.kind
      action.payload = .text("")
      return .action(action)
    default: return line
    }
  }
}
