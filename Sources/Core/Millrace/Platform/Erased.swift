/// A hashable value without its static type, for a table of values of one type.
///
/// The owner of the table knows the type, and uses it to read the value. The hash is computed once.
///
/// If the table's type depended on a type parameter, the runtime would look that type up at every use. An `AnyHashable`
/// searches for conformances each time one is made.
struct Erased: Hashable, Sendable {
  private let box: ErasedBox

  init<Value: Hashable & Sendable>(_ value: Value) { box = HashedBox(value) }

  /// The value, of the type that it was made with.
  func value<Value: Hashable & Sendable>(as _: Value.Type) -> Value {
    unsafeDowncast(box, to: HashedBox<Value>.self).value
  }

  static func == (left: Erased, right: Erased) -> Bool {
    left.box === right.box || left.box.hash == right.box.hash && left.box.hasValue(of: right.box)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(box.hash) }
}

private class ErasedBox: @unchecked Sendable {  // immutable
  final let hash: Int

  init(hash: Int) { self.hash = hash }

  /// - Parameter other: a box of a value of the same type.
  func hasValue(of other: ErasedBox) -> Bool { false }
}

private final class HashedBox<Value: Hashable & Sendable>: ErasedBox, @unchecked Sendable {  // immutable
  let value: Value

  init(_ value: Value) {
    self.value = value
    super.init(hash: value.hashValue)
  }

  override func hasValue(of other: ErasedBox) -> Bool {
    value == unsafeDowncast(other, to: HashedBox.self).value
  }
}
