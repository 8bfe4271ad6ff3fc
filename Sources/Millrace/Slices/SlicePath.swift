import MillraceSpelling

/// The name of a slice in an activity list. Spelled out only on demand, since that takes long.
struct SliceName: Hashable {
  /// `nil` where a closure computes the slice.
  let path: AnyKeyPath?
  let type: Any.Type

  var text: String {
    if let path, case let text = "\(path)", !text.contains("<computed") { return text }
    return "computed \(Spelling.name(of: type))"
  }

  static func == (left: Self, right: Self) -> Bool { left.path == right.path && left.type == right.type }

  func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(ObjectIdentifier(type))
  }
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

  /// With the ids of elements, as in `\App.rows[3] \Row.title`.
  var text: String {
    var names: [SliceName: String] = [:]
    return spelled(&names, withIDs: true)
  }
  /// The same for every element, as in `\App.rows[…] \Row.title`.
  var pattern: String {
    var names: [SliceName: String] = [:]
    return spelled(&names, withIDs: false)
  }

  /// - Parameter names: those that were spelled before: a list may have very many lines.
  func spelled(_ names: inout [SliceName: String], withIDs: Bool) -> String {
    func text(of name: SliceName) -> String {
      let text = names[name] ?? name.text
      names[name] = text
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
