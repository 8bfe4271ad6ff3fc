import Millrace

/// Writes the lines that the state has to say to a file descriptor, each once and in their order.
///
/// ```swift
/// let writer = LineWriter { [weak store] event in store?.dispatch(.log(event)) }
/// store.connect(writer, to: \.log)
/// ```
///
/// Lines are written as they are, with a line end after each; on a terminal, control characters in them are shown as
/// U+FFFD, but for tabs.
///
/// Where nobody reads, a write waits for as long as that goes on. Only this component waits, on a queue of its own; the
/// lines stay in the log meanwhile, so bound it with ``LineLog/removeLines(exceeding:)`` if the program is to go on.
/// Lines that were removed before they were written are reported as ``LineWriterEvent/skipped(_:)``.
///
/// Once a write has failed, as when nobody will ever read the pipe again, ``failure`` tells why, and nothing more is
/// written; no `SIGPIPE` is raised. Of the last line, a part may have been written.
public actor LineWriter: Component {
  /// What is written.
  public typealias Props = LineLog

  /// Why nothing is written any more, if so.
  public private(set) var failure: TerminalFailure?

  private let output: TerminalOutput
  private let report: @Sendable (LineWriterEvent) -> Void
  private var next = 0
  private let executor = QueueExecutor(label: "millrace.lines.writer")

  /// Writes may block, so all of this happens on a queue of its own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Makes a writer, for one connection to one log.
  ///
  /// - Parameters:
  ///   - output: Where lines are written; standard output unless told otherwise.
  ///   - report: What is done about what has been written, usually a dispatch of an action for which the reducer calls
  ///     ``LineLog/reduce(_:)``. Called on the writer's own queue.
  public init(
    output: TerminalOutput = .standardOutput, report: @escaping @Sendable (LineWriterEvent) -> Void = { _ in }
  ) {
    self.output = output
    self.report = report
  }

  /// Writes the lines that are new, and returns when they are written.
  public func update(_ log: LineLog) {
    guard failure == nil else { return }
    if log.nextNumber < next { next = log.firstNumber }  // another log, all of which is new
    if next < log.firstNumber {
      report(.skipped(log.firstNumber - next))
      next = log.firstNumber
    }
    let isTerminal = output.isTerminal
    let lines = log.lines.dropFirst(next - log.firstNumber)
    guard !lines.isEmpty else { return }
    let text = lines.map { (isTerminal ? Self.harmless($0) : $0) + "\n" }.joined()
    do throws(TerminalFailure) {
      try output.write(text)
      next = log.nextNumber
      report(.wrote(next: next))
    } catch {
      failure = error
      report(.failed(error))
    }
  }

  private static func harmless(_ line: String) -> String {
    line.split(separator: "\t", omittingEmptySubsequences: false).map { TerminalText.harmless(String($0)) }
      .joined(separator: "\t")
  }
}
