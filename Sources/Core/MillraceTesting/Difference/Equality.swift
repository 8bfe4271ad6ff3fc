/// `==` of values whose types are not known to the compiler.
package enum Equality {
  /// Whether two values of one type are equal; `nil` if their type has no `==`.
  package static func of(_ left: Any, _ right: Any) -> Bool? {
    guard let left = left as? any Equatable else { return nil }
    return isEqual(left, right)
  }

  private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool? {
    (right as? Value).map { left == $0 }
  }

  package static func areNaN(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? any FloatingPoint, let right = right as? any FloatingPoint else { return false }
    return left.isNaN && right.isNaN
  }
}
