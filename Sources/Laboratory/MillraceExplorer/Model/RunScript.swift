import Millrace
import MillraceSpelling

/// The rest of the outcome that a run has begun, and the actions that it has sent. A part of the identity of a
/// configuration.
struct RunScript: Hashable {
  /// Its next step; `nil` between two outcomes.
  var rest: RunStep?
  /// The value of its request at which it is; `nil` between two outcomes.
  var value: RunValue?
  /// Its actions so far; kept only where a list of outcomes depends on it.
  var sent: [any Sendable] = []

  var isEmpty: Bool { rest == nil && sent.isEmpty }

  private var sentText: [String] { sent.map { Spelling.text(of: $0) } }

  static func == (left: Self, right: Self) -> Bool {
    left.rest == right.rest && left.value?.number == right.value?.number
      && left.value?.isOld == right.value?.isOld
      && left.sentText == right.sentText
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(rest)
    hasher.combine(value?.number)
    hasher.combine(sentText)
  }
}
