import Foundation
import Millrace

/// Shows how far the work is: a bar and lines that are redrawn in their place on a terminal, plain lines elsewhere.
///
/// ```swift
/// let progress = ProgressView(prefix: "copy: ")
/// store.connect(progress, props: { $0.progress })
/// ```
///
/// It draws at most once in its interval; what changes in between is drawn together, and the newest status is always
/// drawn in the end. A status that is over is drawn at once, and takes away what is not to stay. If the program ends
/// without such a status, call ``finish()``. It uses no colours.
///
/// Once a write has failed, as when nobody reads the pipe any more, ``failure`` tells why, and nothing more is written.
/// Writing blocks a thread of its own queue and no other.
public actor ProgressView: Component {
  /// What is shown.
  public typealias Props = ProgressStatus

  /// Why nothing is written any more, if so.
  public private(set) var failure: TerminalFailure?

  private let output: TerminalOutput
  private let style: ProgressStyle
  private let time: ProgressTime
  private let terminalName: String?
  private var pacing: ProgressPacing
  private var drawing: ProgressDrawing
  private var status = ProgressStatus()
  private var waiting: Task<Void, Never>?
  private let executor = QueueExecutor(label: "millrace.progress")

  /// Writes may block, so all of this happens on a queue of its own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - output: Where it is shown; standard error unless told otherwise.
  ///   - prefix: What lines that stay begin with, such as the program's name.
  ///   - style: How it is shown.
  ///   - interval: The shortest time between two drawings; zero or less draws every status it gets.
  ///   - clock: What measures the interval.
  public init(
    output: TerminalOutput = .standardError, prefix: String = "", style: ProgressStyle = .automatic,
    interval: Duration = .milliseconds(100), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      output: output, prefix: prefix, style: style, interval: interval, clock: clock,
      terminalName: ProcessInfo.processInfo.environment["TERM"])
  }

  init(
    output: TerminalOutput, prefix: String, style: ProgressStyle, interval: Duration,
    clock: any Clock<Duration>, terminalName: String?
  ) {
    self.output = output
    self.style = style
    time = ProgressTime(clock)
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

  /// Draws what waits to be drawn, and then takes away what is not to stay: the cursor is at the beginning of an empty
  /// line. To be called when the work is broken off.
  public func finish() {
    waiting?.cancel()
    draw()
    write(drawing.erased(columns: columns ?? .max))
  }

  private func wait(until next: Duration) {
    waiting = Task { [weak self, time] in
      await time.sleep(next)
      if !Task.isCancelled { await self?.waited() }
    }
  }

  private func waited() {
    if pacing.waited(now: time.now()) == .draw { draw() }
  }

  private func draw() { write(drawing.shown(status, columns.map { .redrawn(columns: $0) } ?? .lines)) }

  /// The columns in which the status is redrawn; `nil` if it is shown in lines.
  private var columns: Int? {
    switch style {
    case .lines: return nil
    case .redrawn(let columns): return columns
    case .automatic:
      guard output.isTerminal, let terminalName, terminalName != "dumb" else { return nil }
      let columns = output.size?.columns ?? 80
      return columns >= 20 ? columns : nil
    }
  }

  private func write(_ text: String) {
    guard failure == nil, !text.isEmpty else { return }
    do throws(TerminalFailure) { try output.write(text) } catch { failure = error }
  }
}
