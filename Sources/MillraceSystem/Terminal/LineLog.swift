/// Lines that the state has to say, in their order, for a ``LineWriter`` to write.
///
/// ```swift
/// var log = LineLog()
/// log.append("listening on port 8080")
/// ```
///
/// Lines are numbered from 0 and stay until they are removed: remove those that are written, as the writer says it, or
/// the log grows for as long as the program runs. Do not put a new log in the place of one that is connected; remove its
/// lines.
public struct LineLog: Hashable, Sendable {
  /// The lines that are there.
  public private(set) var lines: ArraySlice<String> = []
  /// The number of the first line that is there, or of the next one if there is none.
  public private(set) var firstNumber = 0

  /// Makes a log without lines.
  public init() {}

  /// How many lines have ever been appended: the number of the next one.
  public var nextNumber: Int { firstNumber + lines.count }

  /// Appends a line.
  public mutating func append(_ line: String) { lines.append(line) }

  /// Removes the lines before this number. Those which are not written yet never will be, and the writer says so. O(n)
  /// in the number of lines that stay.
  public mutating func removeLines(before number: Int) {
    let count = min(max(0, number - firstNumber), lines.count)
    guard count > 0 else { return }
    lines = Array(lines.dropFirst(count))[...]
    firstNumber += count
  }

  /// Removes the oldest lines where there are more than `limit`, for a reader that may be slow or stuck.
  public mutating func removeLines(exceeding limit: Int) { removeLines(before: nextNumber - max(0, limit)) }

  /// Applies what a ``LineWriter`` reports: removes the lines that are written, and all once writing has failed.
  public mutating func reduce(_ event: LineWriterEvent) {
    switch event {
    case .wrote(let next): removeLines(before: next)
    case .failed: removeLines(before: nextNumber)
    case .skipped: break
    }
  }
}

/// What a ``LineWriter`` reports.
public enum LineWriterEvent: Hashable, Sendable {
  /// All lines before this number are written.
  case wrote(next: Int)
  /// So many lines were removed from the log before they were written.
  case skipped(Int)
  /// Writing has failed, and nothing more will be written.
  case failed(TerminalFailure)
}
