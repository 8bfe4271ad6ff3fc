import MillraceSpelling

/// Values that are shown whole, without comparing their parts.
enum Leaf {
  private static let longest = 60

  /// Whether two values of one type are equal; `nil` if they are not leaves.
  ///
  /// Leaves are values with a short description of their own, and types of the standard library and of Foundation,
  /// whose parts say little: `1.5 seconds → 2.0 seconds`. If the descriptions are equal, the parts may differ.
  static func compare(_ old: Any, _ new: Any) -> Bool? {
    if Mirror(reflecting: old).children.isEmpty, Mirror(reflecting: new).children.isEmpty {
      // Without `==`, only the text can be compared: the name of a case, a metatype. All functions have the same text.
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
