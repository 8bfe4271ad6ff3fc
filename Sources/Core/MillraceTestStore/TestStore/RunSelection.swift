import MillraceSpelling

/// What a test gives to select a run: its request and, if needed, the part of the state and the name of the connection.
package struct RunSelection: Hashable {
  let request: AnyHashable
  let part: AnyHashable?
  let name: String?

  package init(_ request: AnyHashable, in part: AnyHashable? = nil, named name: String? = nil) {
    (self.request, self.part, self.name) = (request, part, name)
  }

  /// The selection in words, such as `"load" in 2 of rows`.
  ///
  /// - Parameter others: other requests. If one of them has the same text, the type of the request is added.
  func text(besides others: [AnyHashable] = []) -> String {
    let part = part.map { " in \(Spelling.text(of: $0.base))" } ?? ""
    return "\(request.text(besides: others))\(part)\(name.map { " of \($0)" } ?? "")"
  }

  /// Whether this selection matches `other`, which may be less specific.
  func covers(_ other: RunSelection) -> Bool {
    request == other.request && (other.part == nil || part == other.part)
      && (other.name == nil || name == other.name)
  }
}

extension [AnyHashable] {
  /// The names by which a test may refer to the innermost of these parts, outermost first: its id, or the ids of all
  /// parts.
  package var names: [AnyHashable] { suffix(1) + (count > 1 ? [AnyHashable(self)] : []) }

  func isNamed(by part: AnyHashable?) -> Bool { part.map(names.contains) ?? true }
}

extension AnyHashable {
  /// The value in words, with its type if another value with the same text exists.
  func text(besides others: [AnyHashable]) -> String {
    let text = Spelling.text(of: base)
    let isAmbiguous = others.contains { $0 != self && Spelling.text(of: $0.base) == text }
    return isAmbiguous ? "\(text) (\(String(reflecting: type(of: base))))" : text
  }
}
