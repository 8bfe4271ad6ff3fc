import MillraceTrace

/// The lines of a recording in the format of a page: without checksums, which do not compress, and without the states
/// and values that would make the page too large.
struct PageLines {
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

  private(set) var chunks: [[UInt8]] = []
  private var current: [UInt8] = []
  private let detail: Detail

  /// The lines of a recording, or its last `count` lines, with its header.
  static func chunks(of text: TraceText, _ detail: Detail = .all, last count: Int = .max) -> [[UInt8]] {
    var lines = PageLines(detail: detail)
    lines.add(.header(text.header))
    for numbered in text.lines.suffix(count) { lines.add(numbered.line) }
    lines.finish()
    return lines.chunks
  }

  private init(detail: Detail) { self.detail = detail }

  private mutating func add(_ line: TraceLine) {
    let bytes = Self.bytes(of: reduced(line))
    if current.count + bytes.count > Self.chunkSize, !current.isEmpty { finish() }
    current += bytes
  }

  private mutating func finish() {
    if !current.isEmpty { chunks.append(current) }
    current = []
  }

  /// The line with its line break and without its checksum; empty for a line of a later version.
  static func bytes(of line: TraceLine) -> [UInt8] {
    if line == .unknown { return [] }
    var bytes = LineWriter.bytes(of: line)
    guard let mark = bytes.lastIndex(of: UInt8(ascii: "#")), mark > 2 else { return bytes }
    bytes.removeSubrange((mark - 2)...)
    return bytes + Array("}\n".utf8)
  }

  private func reduced(_ line: TraceLine) -> TraceLine {
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
