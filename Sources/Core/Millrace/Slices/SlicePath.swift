import MillraceSpelling

/// The name of a slice in an activity list.
struct SliceName {
  let key: SliceKey
  let type: Any.Type

  /// What gives the same text: a key path, or the type of computed slices.
  fileprivate var shared: AnyHashable {
    if case .keyPath(let path) = key { path } else { ObjectIdentifier(type) }
  }

  /// Made only on demand, since that takes long.
  fileprivate var text: String {
    if case .keyPath(let path) = key, case let text = "\(path)", !text.contains("<computed") { return text }
    return "computed \(Spelling.name(of: type))"
  }
}

/// The names that a list has already made, since the list may have very many lines.
final class SliceNames {
  fileprivate var known: [AnyHashable: String] = [:]
}

/// The path from the state to a slice, as an activity list shows it. Its text is made on demand with no lock held,
/// since the text of an element's id comes from the program's code.
struct SlicePath {
  /// One step of the path.
  enum Step {
    /// To the whole of the value reached so far.
    case whole
    case slice(SliceName)
    /// To the value of the optional slice reached so far.
    case present
    case element(SliceName, id: AnyHashable)
  }

  var steps: [Step]

  /// Returns the text with the ids of elements, as in `\App.rows[3] \Row.title`, or equal for every element, as in
  /// `\App.rows[…]`.
  func text(withIDs: Bool = true, _ names: SliceNames = SliceNames()) -> String {
    func text(of name: SliceName) -> String {
      let text = names.known[name.shared] ?? name.text
      names.known[name.shared] = text
      return text
    }
    var texts: [String] = []
    for step in steps {
      switch step {
      case .whole: texts.append("\\.self")
      case .slice(let name): texts.append(text(of: name))
      case .present:
        let optional = texts.popLast() ?? "\\.self"  // the slice of a part that has ended may have gone
        texts.append("\(optional)?")
      case .element(let name, let id):
        texts.append("\(text(of: name))[\(withIDs ? Spelling.text(of: id.base) : "…")]")
      }
    }
    let parts = texts.filter { !$0.hasSuffix(".self") }
    return parts.isEmpty ? texts.first ?? "\\.self" : parts.joined(separator: " ")
  }

  func appending(_ step: Step) -> SlicePath { SlicePath(steps: steps + [step]) }
}
