/// The status of a piece of work that a ``TerminalProgressView`` shows.
///
/// ```swift
/// var progress = ProgressStatus("12 of 40 files", fraction: 12.0 / 40)
/// progress.notices.append("going on where the last run stopped")
/// ```
public struct ProgressStatus: Hashable, Sendable {
  /// The progress in one line; nothing is shown if `nil`.
  public var text: String?
  /// The share of the work that is done, from 0 to 1, shown as a bar before the text; no bar if `nil`.
  public var fraction: Double?
  /// Lines below the text, for instance the current items. Shown on a terminal only.
  public var details: [String] = []
  /// Lines that are printed once each, in order, and stay. Only append to them, since the view counts them;
  /// ``reduce(_:)`` removes those already printed. After a failure none is kept.
  public var notices: [String] = [] {
    didSet {
      guard failure != nil else { return }
      firstNotice += notices.count
      notices = []
    }
  }
  /// The number of the first of `notices`, counted from 0, which is also the number of removed notices.
  public private(set) var firstNotice = 0
  /// The failure of the ``TerminalProgressView`` after which no notice is kept, if any.
  public private(set) var failure: TerminalFailure?
  /// Whether the work is over. On a terminal, everything but the notices is then removed.
  public var isOver = false

  /// Makes a status.
  public init(_ text: String? = nil, fraction: Double? = nil) {
    self.text = text
    self.fraction = fraction
  }

  /// Applies an event of the ``TerminalProgressView``: removes the printed notices, and all notices once writing has
  /// failed. Without it they stay in the state for as long as the program runs.
  public mutating func reduce(_ event: LineWriterEvent) {
    switch event {
    case .wrote(let next): removeNotices(min(max(0, next - firstNotice), notices.count))
    case .failed(let failure):
      removeNotices(notices.count)
      self.failure = failure
    case .skipped: break
    }
  }

  private mutating func removeNotices(_ count: Int) {
    notices.removeFirst(count)
    firstNotice += count
  }
}

/// How a ``TerminalProgressView`` shows a status.
public enum ProgressStyle: Hashable, Sendable {
  /// Redrawn in place on a terminal with 20 columns or more, unless the variable `TERM` is `dumb`; otherwise as lines.
  /// Decided anew for each drawing, so a change of the window is respected.
  case automatic
  /// Each change as a line, for logs.
  case lines
  /// Redrawn in place, in this number of columns.
  case redrawn(columns: Int)
}
