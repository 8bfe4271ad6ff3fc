/// Lines of the state, in order, for a ``LineWriter`` to write.
///
/// ```swift
/// var log = LineLog()
/// log.append("listening on port 8080")
/// ```
///
/// Lines are numbered from 0 and stay until they are removed. Apply the writer's events to remove written lines;
/// otherwise the log grows for as long as the program runs. Do not replace a connected log by a new one; remove its
/// lines. Once the writer has failed, the log keeps no line: each that is appended is counted and dropped, until
/// another writer is connected.
public struct LineLog: Hashable, Sendable {
  /// The lines that have not been removed.
  public private(set) var lines: ArraySlice<String> = []
  /// The number of the first line of `lines`, or of the next line if there is none.
  public private(set) var firstNumber = 0
  /// The failure of the ``LineWriter`` after which no line is kept, if any.
  public private(set) var failure: TerminalFailure?

  /// Makes an empty log.
  public init() {}

  /// Makes a log in any condition, for tests.
  public init(lines: ArraySlice<String>, firstNumber: Int, failure: TerminalFailure? = nil) {
    (self.lines, self.firstNumber, self.failure) = (lines, firstNumber, failure)
  }

  /// The number of lines ever appended, which is the number of the next line.
  public var nextNumber: Int { firstNumber + lines.count }

  /// Appends a line; after a failure, counts it and drops it.
  public mutating func append(_ line: String) {
    lines.append(line)
    if failure != nil { removeLines(before: nextNumber) }
  }

  /// Removes the lines before this number. Lines that are not written yet are never written, and the writer reports
  /// them as skipped. O(n) in the number of remaining lines.
  public mutating func removeLines(before number: Int) {
    let count = min(max(0, number - firstNumber), lines.count)
    guard count > 0 else { return }
    lines = Array(lines.dropFirst(count))[...]
    firstNumber += count
  }

  /// Removes the oldest lines beyond `limit`, for an output that may be slow or blocked.
  public mutating func removeLines(exceeding limit: Int) { removeLines(before: nextNumber - max(0, limit)) }

  /// Applies an event of the ``LineWriter``: removes the lines that are written, and all lines once writing has
  /// failed.
  public mutating func reduce(_ event: LineWriterEvent) {
    switch event {
    case .wrote(let next):
      failure = nil
      removeLines(before: next)
    case .failed(let failure):
      self.failure = failure
      removeLines(before: nextNumber)
    case .skipped: break
    }
  }
}

extension LineLog: Codable {
  private enum Key: String, CodingKey { case lines, firstNumber, failure }

  /// Decodes a log with its lines, their numbers and the failure.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    lines = try values.decode([String].self, forKey: .lines)[...]
    firstNumber = try values.decode(Int.self, forKey: .firstNumber)
    failure = try values.decodeIfPresent(TerminalFailure.self, forKey: .failure)
    guard firstNumber >= 0, firstNumber < Int.max / 2 else {
      throw DecodingError.dataCorruptedError(
        forKey: .firstNumber, in: values, debugDescription: "no number of a line")
    }
  }

  /// Encodes the lines, their numbers and the failure.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(Array(lines), forKey: .lines)
    try values.encode(firstNumber, forKey: .firstNumber)
    try values.encodeIfPresent(failure, forKey: .failure)
  }
}

/// An event of a ``LineWriter``.
public enum LineWriterEvent: Codable, Hashable, Sendable {
  /// All lines before this number are written, or were dropped after the failure of the writer before.
  case wrote(next: Int)
  /// This many lines were removed from the log before they were written.
  case skipped(Int)
  /// Writing has failed, and nothing more is written.
  case failed(TerminalFailure)
}
