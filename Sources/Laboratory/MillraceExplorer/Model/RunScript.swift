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

  /// The actions in words, since they need not be `Hashable`.
  private var text: [[String]] { [rest?.text ?? [], sent.map { Spelling.text(of: $0) }] }

  static func == (left: Self, right: Self) -> Bool {
    left.value == right.value && left.text == right.text
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(value)
    hasher.combine(text)
  }
}
