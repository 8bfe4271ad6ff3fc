/// The path from a whole value to one of its parts: `search.rows[id: 7].title`.
struct DifferencePath {
  private(set) var text = ""
  /// The path without ids and indices of elements and without positions in strings: `search.rows[].title`.
  private(set) var place = ""
  /// The text before the next step: the mark of an optional that is not `nil`.
  private var mark = ""

  /// The path to a stored property, to an element of a tuple or to the payload of a case.
  func member(_ label: String) -> DifferencePath {
    let name = label.hasPrefix("$__lazy_storage_$_") ? String(label.dropFirst(18)) : label
    if name.hasPrefix(".") { return appending(name, place: name) }  // an element of a tuple without a name
    let step = text.isEmpty ? name : ".\(name)"
    return appending(step, place: step)
  }

  func element(at index: Int) -> DifferencePath { appending("[\(index)]") }

  func elements(at range: Range<Int>) -> DifferencePath {
    appending("[\(range.lowerBound)..<\(range.upperBound)]")
  }

  func element(withID id: AnyHashable) -> DifferencePath { appending("[id: \(ValueText(id.base))]") }

  func value(forKey key: Any) -> DifferencePath { appending("[\(ValueText(key))]") }

  /// The path to the contents of an optional.
  var unwrapped: DifferencePath {
    var path = self
    if !text.isEmpty { path.mark += "?" }
    return path
  }

  /// The path to a part of a string: `body, line 3`.
  func part(_ words: String) -> DifferencePath {
    var path = self
    if text.isEmpty { path.place = words }
    path.text += text.isEmpty ? words : ", \(words)"
    path.mark = ""
    return path
  }

  private func appending(_ step: String, place: String = "[]") -> DifferencePath {
    var path = self
    path.text += mark + step
    path.place += place
    path.mark = ""
    return path
  }
}
