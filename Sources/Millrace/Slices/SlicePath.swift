import MillraceSpelling

/// The way from the state to a slice, as an activity list names it. Spelled on demand, with no lock held: the ids of
/// elements read as the program's own code has them read.
struct SlicePath {
  /// One step of the way. Each name is made on demand.
  enum Step {
    /// To the whole of what was reached before.
    case whole
    case slice(() -> String)
    /// To what an optional slice holds.
    case present(() -> String)
    case element(() -> String, id: AnyHashable)

    func text(_ idText: (AnyHashable) -> String) -> String {
      switch self {
      case .whole: "\\.self"
      case .slice(let name): name()
      case .present(let name): "\(name())?"
      case .element(let name, let id): "\(name())[\(idText(id))]"
      }
    }
  }

  var steps: [Step]

  /// With the ids of elements, as in `\App.rows[3] \Row.title`.
  var text: String { spelled { Spelling.text(of: $0.base) } }
  /// The same for every element, as in `\App.rows[…] \Row.title`.
  var pattern: String { spelled { _ in "…" } }

  private func spelled(_ idText: (AnyHashable) -> String) -> String {
    let texts = steps.map { $0.text(idText) }
    let parts = texts.filter { !$0.hasSuffix(".self") }
    return parts.isEmpty ? texts.first ?? "\\.self" : parts.joined(separator: " ")
  }

  func appending(_ step: Step) -> SlicePath { SlicePath(steps: steps + [step]) }
}
