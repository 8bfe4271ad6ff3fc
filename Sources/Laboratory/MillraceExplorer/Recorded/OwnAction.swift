/// Finds the action of an effect, or its error, of which an action of the store was made. A recording has the store's
/// actions alone.
enum OwnAction {
  /// The outermost value of a type that an action is or holds and that passes a test; `nil` if there is none.
  static func value<Value>(
    of type: Value.Type, within action: Any, where isRight: (Value) -> Bool
  ) -> Value? {
    var level: [Any] = [action]
    // Deeper than programs nest their actions.
    for _ in 0..<16 where !level.isEmpty {
      for case let value as Value in level where isRight(value) { return value }
      level = level.flatMap(parts)
    }
    return nil
  }

  /// What a case, a tuple or a structure holds. Nobody nests actions in collections, which may be large.
  private static func parts(of value: Any) -> [Any] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .enum, .tuple, .optional, .struct: return mirror.children.map(\.value)
    default: return []
    }
  }
}
