import Millrace
import MillraceSpelling

/// The rest of the outcome that a run has begun, and the actions that it has sent. A part of the identity of a
/// configuration.
struct RunScript: Hashable {
  /// Its next step; `nil` between two outcomes.
  var rest: RunStep?
  /// Its actions so far; kept only where a list of outcomes depends on it.
  var sent: [any Sendable] = []

  var isEmpty: Bool { rest == nil && sent.isEmpty }

  private var sentText: [String] { sent.map { Spelling.text(of: $0) } }

  static func == (left: Self, right: Self) -> Bool {
    left.rest == right.rest && left.sentText == right.sentText
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(rest)
    hasher.combine(sentText)
  }
}
