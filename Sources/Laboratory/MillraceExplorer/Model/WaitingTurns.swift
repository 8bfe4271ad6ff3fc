import Millrace
import MillraceFeature
import MillraceSpelling

/// The work of a store before anything else happens: it reduces the actions that closures have dispatched, and the
/// run whose action was reduced before returns.
struct WaitingTurns: Hashable {
  /// The actions, in the order in which they were sent.
  var sent: [SentAction]
  var returning: ReturningRun?

  init(_ sent: [SentAction]?) { self.sent = sent ?? [] }

  var isEmpty: Bool { sent.isEmpty }

  /// These turns come after those that waited before, the first of which is made.
  mutating func follow(_ former: WaitingTurns) {
    sent = former.sent.dropFirst() + sent
    returning = former.returning
  }
}

/// A run that has sent its last action. Its return is decided after what that action has led to.
struct ReturningRun: Hashable {
  let run: ModelledRun
  /// The value that it has taken last.
  let value: RunValue

  init(_ run: ModelledRun, at value: RunValue) { (self.run, self.value) = (run, value) }

  static func == (left: Self, right: Self) -> Bool {
    left.run.key == right.run.key && left.value.number == right.value.number
      && left.value.isOld == right.value.isOld
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(run.key)
    hasher.combine(value.number)
  }
}

extension SentAction: Hashable {
  /// The actions need not be `Hashable`.
  private var text: String { Spelling.text(of: action) }

  package static func == (left: Self, right: Self) -> Bool {
    left.part == right.part && left.text == right.text
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(part)
    hasher.combine(text)
  }
}
