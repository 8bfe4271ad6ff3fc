import Foundation
import Millrace
import MillraceEffects

/// Shows the progress of work: a bar and lines that are redrawn in place on a terminal, plain lines elsewhere.
///
/// ```swift
/// let progress = TerminalProgressView(prefix: "copy: ")
/// store.connect(progress, props: { $0.progress })
/// ```
///
/// The view draws at most once per interval, skips statuses in between, and always draws the newest one in the end. A
/// status that is over is drawn at once and removes everything but the notices. If the program ends without such a
/// status, call ``finish()``. The view uses no colours.
///
/// After a write has failed, for instance because the reading end of a pipe was closed, nothing more is written and
/// ``failure`` has the reason. A blocking write blocks only a thread of the view's own queue.
public actor TerminalProgressView: Component {
  /// The status to show.
  public typealias Props = ProgressStatus

  /// The failure after which nothing more is written, if any.
  public private(set) var failure: TerminalFailure?

  private let output: TerminalOutput
  private let style: ProgressStyle
  private let time: Stopwatch
  private let report: @Sendable (LineWriterEvent) -> Void
  private let terminalName: String?
  private var pacing: ProgressPacing
  private var drawing: ProgressDrawing
  private var status = ProgressStatus()
  private var waiting: Task<Void, Never>?
  private let executor = QueueExecutor(label: "millrace.progress")

  /// The executor of the actor: its own queue, since writes may block.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - output: the file descriptor; by default standard error.
  ///   - prefix: the prefix of lines that stay, such as the program's name.
  ///   - style: how the status is shown.
  ///   - interval: the shortest time between two drawings; zero or less draws every status.
  ///   - clock: the clock of the interval.
  ///   - report: receives an event when notices are printed, and one when writing has failed. Usually it dispatches an
  ///     action for which the reducer calls ``ProgressStatus/reduce(_:)``. Called on the view's own queue.
  public init(
    output: TerminalOutput = .standardError, prefix: String = "", style: ProgressStyle = .automatic,
    interval: Duration = .milliseconds(100), clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (LineWriterEvent) -> Void = { _ in }
  ) {
    self.init(
      output: output, prefix: prefix, style: style, interval: interval, clock: clock,
      terminalName: ProcessInfo.processInfo.environment["TERM"], report: report)
  }

  init(
    output: TerminalOutput, prefix: String, style: ProgressStyle, interval: Duration,
    clock: any Clock<Duration>, terminalName: String?,
    report: @escaping @Sendable (LineWriterEvent) -> Void = { _ in }
  ) {
    self.output = output
    self.report = report
    self.style = style
    time = Stopwatch(clock)
    self.terminalName = terminalName
    pacing = ProgressPacing(interval: interval)
    drawing = ProgressDrawing(prefix: prefix)
  }

  deinit { waiting?.cancel() }

  /// Shows a status, now or when the interval is over.
  public func update(_ status: ProgressStatus) {
    self.status = status
    switch pacing.changed(isLast: status.isOver, now: time.now()) {
    case .draw: draw()
    case .wait(let next): wait(until: next)
    case nil: break
    }
  }

  /// Draws a waiting status, then removes everything but the notices; the cursor is then at the beginning of an empty
  /// line. Call it when the work is interrupted.
  public func finish() {
    waiting?.cancel()
    if pacing.isWaiting { draw() }
    write(drawing.erased(columns: form.columns))
  }

  private func wait(until next: Duration) {
    waiting = Task { [weak self, time] in
      if await time.waits(until: next) { await self?.waited() }
    }
  }

  private func waited() {
    pacing.waited(now: time.now())
    draw()
  }

  private func draw() {
    let reported = drawing.reportedNotices
    write(drawing.shown(status, form))
    if failure == nil, drawing.reportedNotices > reported { report(.wrote(next: drawing.reportedNotices)) }
  }

  private var form: ProgressDrawing.Form {
    switch style {
    case .lines: return .lines()
    case .redrawn(let columns): return .redrawn(columns: columns)
    case .automatic:
      guard output.isTerminal, let terminalName, terminalName != "dumb" else { return .lines() }
      let columns = output.size?.columns ?? 80
      return columns >= 20 ? .redrawn(columns: columns) : .lines(columns: columns)
    }
  }

  private func write(_ text: String) {
    guard failure == nil, !text.isEmpty else { return }
    do throws(TerminalFailure) { try output.write(text) } catch {
      failure = error
      report(.failed(error))
    }
  }
}
