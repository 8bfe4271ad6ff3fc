import Millrace
import MillraceSpelling
import MillraceTesting

/// What a test says of a run to tell it from others: its request and, if need be, the part of the state and the name of
/// the connection.
package struct RunSelection: Hashable {
  let request: AnyHashable
  var part: AnyHashable?
  var name: String?

  package init(request: AnyHashable, part: AnyHashable? = nil, name: String? = nil) {
    (self.request, self.part, self.name) = (request, part, name)
  }

  /// The selection in words, such as `"load" in 2 of rows`.
  var text: String {
    let part = part.map { " in \(Spelling.text(of: $0.base))" } ?? ""
    return "\(Spelling.text(of: request.base))\(part)\(name.map { " of \($0)" } ?? "")"
  }

  package func matches(_ request: AnyHashable, _ parts: [AnyHashable], _ name: String) -> Bool {
    request == self.request && parts.isNamed(by: part) && (self.name == nil || name == self.name)
  }

  /// Whether it is what `other` says, which may say less.
  func covers(_ other: RunSelection) -> Bool {
    request == other.request && (other.part == nil || part == other.part)
      && (other.name == nil || name == other.name)
  }
}

extension [AnyHashable] {
  /// What a test may call a place within these parts, outermost first: the id of the innermost one, or the ids of all.
  package var names: [AnyHashable] { suffix(1) + (count > 1 ? [AnyHashable(self)] : []) }

  func isNamed(by part: AnyHashable?) -> Bool { part.map(names.contains) ?? true }
}

extension AnyHashable {
  /// The value in words, with its type where another value of another type reads the same.
  func text(besides others: [AnyHashable]) -> String {
    let text = Spelling.text(of: base)
    let isAmbiguous = others.contains { $0 != self && Spelling.text(of: $0.base) == text }
    return isAmbiguous ? "\(text) (\(String(reflecting: type(of: base))))" : text
  }
}
