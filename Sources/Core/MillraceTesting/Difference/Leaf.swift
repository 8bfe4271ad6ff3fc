import Millrace
import MillraceSpelling

/// Values that are shown whole, and are not looked into.
enum Leaf {
  private static let longest = 60

  /// Whether two values of one type are equal; `nil` if they are not leaves.
  ///
  /// What describes itself in a few words is a leaf, and so are the types of the standard library and of Foundation,
  /// whose parts say little: `1.5 seconds → 2.0 seconds`. Where the descriptions are the same, the parts may differ.
  static func compare(_ old: Any, _ new: Any) -> Bool? {
    if Mirror(reflecting: old).children.isEmpty, Mirror(reflecting: new).children.isEmpty {
      // Without `==`, the text is all there is to compare: the name of a case, a metatype. Functions read the same.
      return Spelling.text(of: old) == Spelling.text(of: new)
    }
    guard old is any CustomStringConvertible || old is any CustomDebugStringConvertible else { return nil }
    let (oldText, newText) = (Spelling.text(of: old), Spelling.text(of: new))
    guard oldText != newText else { return nil }
    let isShort = oldText.count <= longest && newText.count <= longest
    return isShort || isOfTheSystem(type(of: old)) ? false : nil
  }

  private static func isOfTheSystem(_ type: Any.Type) -> Bool {
    ["Swift.", "Foundation.", "FoundationEssentials."].contains { String(reflecting: type).hasPrefix($0) }
  }
}
