import MillraceFeature
import MillraceSpelling

/// The turns that a store makes before any other move: it reduces the actions that closures have dispatched, and the
/// run whose last action was reduced returns.
struct WaitingTurns: Hashable {
  /// The actions, in the order in which they were sent.
  var sent: [SentAction] = []
  var returning: ReturningRun?

  var isEmpty: Bool { sent.isEmpty }
}

/// A run that has sent its last action. Its return is decided after the closures' actions that this action has led to.
struct ReturningRun: Hashable {
  let run: RunKey
  /// The last value that the run has taken.
  let value: RunValue
}

extension SentAction: Hashable {
  /// The identity of the action, which need not be `Hashable`.
  private var text: String { Spelling.text(of: action) }

  package static func == (left: Self, right: Self) -> Bool {
    left.part == right.part && left.text == right.text
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(part)
    hasher.combine(text)
  }
}
