/// A hashable value without its type, for a table that holds values of one type.
///
/// The owner of the table knows the type, with which it takes the value back out. The hash is computed once.
///
/// A table whose type depends on a type parameter would have the runtime look that type up at every use. `AnyHashable`
/// would search for conformances each time one is made.
struct Erased: Hashable, Sendable {
  /// The type of the values of one table. Kept, since to name it again is to look it up.
  struct Kind<Value: Hashable & Sendable>: Sendable {
    fileprivate let type = HashedBox<Value>.self
  }

  private let box: any ErasedBox

  init<Value: Hashable & Sendable>(_ value: Value, _ kind: Kind<Value>) { box = kind.type.make(value) }

  /// The value, of the type that it was made with.
  func value<Value: Hashable & Sendable>(as _: Value.Type) -> Value {
    unsafeDowncast(box, to: HashedBox<Value>.self).value
  }

  static func == (left: Erased, right: Erased) -> Bool {
    left.box === right.box || left.box.hash == right.box.hash && left.box.hasValue(of: right.box)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(box.hash) }
}

private protocol ErasedBox: AnyObject, Sendable {
  var hash: Int { get }
  /// - Parameter other: a box of a value of the same type.
  func hasValue(of other: any ErasedBox) -> Bool
}

/// Not final: so its type is a value that can be kept.
private class HashedBox<Value: Hashable & Sendable>: ErasedBox, @unchecked Sendable {  // immutable
  final let value: Value
  final let hash: Int

  required init(_ value: Value) {
    self.value = value
    hash = value.hashValue
  }

  /// A function of the kept type, which then is not looked up.
  @inline(never)
  static func make(_ value: Value) -> HashedBox { Self(value) }

  final func hasValue(of other: any ErasedBox) -> Bool {
    value == unsafeDowncast(other, to: HashedBox.self).value
  }
}
