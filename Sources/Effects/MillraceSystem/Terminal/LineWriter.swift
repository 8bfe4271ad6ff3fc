import Millrace
import MillraceSpelling

/// Writes the lines of a ``LineLog`` to a file descriptor, each once and in order.
///
/// ```swift
/// let writer = LineWriter { [weak store] event in store?.dispatch(.log(event)) }
/// store.connect(writer, to: \.log)
/// ```
///
/// Each line is followed by a line break. On a terminal, control characters other than tabs are escaped as by
/// ``TerminalText/visible(_:)``.
///
/// If the output is blocked, such as a pipe that nothing reads, a write waits. Only this component waits, on its own
/// queue. The lines stay in the log meanwhile, so limit the log with ``LineLog/removeLines(exceeding:)`` if the program
/// must continue. Lines that were removed before they were written are reported as ``LineWriterEvent/skipped(_:)``.
///
/// After a write has failed, for instance because the reading end of a pipe was closed, nothing more is written and
/// ``failure`` and ``LineLog/failure`` have the reason; no `SIGPIPE` is raised. A part of the last line may have been
/// written.
public actor LineWriter: Component {
  /// The lines to write.
  public typealias Props = LineLog

  /// The failure after which nothing more is written, if any.
  public private(set) var failure: TerminalFailure?

  private let output: TerminalOutput
  private let report: @Sendable (LineWriterEvent) -> Void
  private var next = 0
  private let executor = QueueExecutor(label: "millrace.lines.writer")

  /// The executor of the actor: its own queue, since writes may block.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Makes a writer, for one connection to one log.
  ///
  /// - Parameters:
  ///   - output: the file descriptor; by default standard output.
  ///   - report: receives the events of the writer. Usually it dispatches an action for which the reducer calls
  ///     ``LineLog/reduce(_:)``. Called on the writer's own queue.
  public init(
    output: TerminalOutput = .standardOutput, report: @escaping @Sendable (LineWriterEvent) -> Void = { _ in }
  ) {
    self.output = output
    self.report = report
  }

  /// Writes the new lines, and returns when they are written.
  public func update(_ log: LineLog) {
    guard failure == nil else { return }
    if log.nextNumber < next { next = log.firstNumber }  // another log, all of which is new
    if log.failure != nil {  // of the previous writer
      next = log.nextNumber
      return report(.wrote(next: next))
    }
    if next < log.firstNumber {
      report(.skipped(log.firstNumber - next))
      next = log.firstNumber
    }
    let isTerminal = output.isTerminal
    let lines = log.lines.dropFirst(next - log.firstNumber)
    guard !lines.isEmpty else { return }
    let text = lines.map { (isTerminal ? Self.visible($0) : $0) + "\n" }.joined()
    do throws(TerminalFailure) {
      try output.write(text)
      next = log.nextNumber
      report(.wrote(next: next))
    } catch {
      failure = error
      report(.failed(error))
    }
  }

  private static func visible(_ line: String) -> String {
    TerminalText.visible(line) { $0 == "\t" ? "\t" : Spelling.escape($0) }
  }
}
