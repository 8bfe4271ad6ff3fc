import Millrace
import MillraceSpelling

/// The progress of a run in its outcome: the remaining steps, and the actions that it has sent. Belongs to the identity
/// of a configuration.
struct RunScript: Hashable {
  /// The next step of the run; `nil` between two outcomes.
  var rest: RunStep?
  /// The value of its request that the run serves; `nil` between two outcomes.
  var value: RunValue?
  /// The actions that the run has sent; kept only if a list of outcomes depends on them.
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
