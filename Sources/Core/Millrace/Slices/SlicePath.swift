import MillraceSpelling

/// The name of a slice in an activity list. Spelled out only on demand, since that takes long.
struct SliceName {
  /// Equal for slices that read the same.
  let key: AnyHashable
  let text: () -> String
}

/// The names that a list has spelled: it may have very many lines.
final class SliceNames {
  fileprivate var known: [AnyHashable: String] = [:]
}

/// The way from the state to a slice, as an activity list names it. Spelled on demand, with no lock held: the ids of
/// elements read as the program's own code has them read.
struct SlicePath {
  /// One step of the way.
  enum Step {
    /// To the whole of what was reached before.
    case whole
    case slice(SliceName)
    /// To what an optional slice holds.
    case present(SliceName)
    case element(SliceName, id: AnyHashable)
  }

  var steps: [Step]

  /// With the ids of elements, as in `\App.rows[3] \Row.title`, or the same for every element, as in `\App.rows[…]`.
  func text(withIDs: Bool = true, _ names: SliceNames = SliceNames()) -> String {
    func text(of name: SliceName) -> String {
      let text = names.known[name.key] ?? name.text()
      names.known[name.key] = text
      return text
    }
    let texts = steps.map { step in
      switch step {
      case .whole: "\\.self"
      case .slice(let name): text(of: name)
      case .present(let name): "\(text(of: name))?"
      case .element(let name, let id): "\(text(of: name))[\(withIDs ? Spelling.text(of: id.base) : "…")]"
      }
    }
    let parts = texts.filter { !$0.hasSuffix(".self") }
    return parts.isEmpty ? texts.first ?? "\\.self" : parts.joined(separator: " ")
  }

  func appending(_ step: Step) -> SlicePath { SlicePath(steps: steps + [step]) }
}
