/// What a ``ProgressView`` shows.
///
/// ```swift
/// var progress = ProgressStatus("12 of 40 files", fraction: 12.0 / 40)
/// progress.notices.append("going on where the last run stopped")
/// ```
public struct ProgressStatus: Hashable, Sendable {
  /// How far the work is, in a line; nothing is shown if `nil`.
  public var text: String?
  /// How much of the work is done, from 0 to 1, as a bar before the text; no bar if `nil`.
  public var fraction: Double?
  /// Lines below the text, such as what is being worked on. Shown on a terminal only.
  public var details: [String] = []
  /// Lines that are told once each, in their order, and stay. Only ever append: they are counted.
  public var notices: [String] = []
  /// Whether nothing more will come. On a terminal, all but the notices is taken away then.
  public var isOver = false

  /// Makes a status.
  public init(_ text: String? = nil, fraction: Double? = nil) {
    self.text = text
    self.fraction = fraction
  }
}

/// How a ``ProgressView`` shows a status.
public enum ProgressStyle: Hashable, Sendable {
  /// Redrawn in its place on a terminal that can do it: one with 20 columns or more whose name, in the variable
  /// `TERM`, is not `dumb`. Otherwise in lines. Looked at for each drawing, so that a change of the window counts.
  case automatic
  /// Each change as a line of its own, for logs.
  case lines
  /// Redrawn in its place, in so many columns.
  case redrawn(columns: Int)
}
