/// Finds the action or error of an effect within an action of the store. A recording has only the store's actions.
enum OwnAction {
  /// The outermost value of this type within an action that passes a test; `nil` if there is none.
  static func value<Value>(
    of type: Value.Type, within action: Any, where isRight: (Value) -> Bool
  ) -> Value? {
    var level: [Any] = [action]
    // Programs nest actions less deeply.
    for _ in 0..<16 where !level.isEmpty {
      for case let value as Value in level where isRight(value) { return value }
      level = level.flatMap(parts)
    }
    return nil
  }

  /// The associated or stored values of a case, a tuple or a structure. Leaves out collections, which may be large and
  /// do not contain nested actions.
  private static func parts(of value: Any) -> [Any] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum, .tuple, .optional, .struct: return mirror.children.map(\.value)
    default: return []
    }
  }
}
