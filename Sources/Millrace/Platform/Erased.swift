/// A hashable value without its type, for a table that holds values of one type.
///
/// The owner of the table knows the type, and takes the value back out with its ``Kind``. The hash is computed once.
///
/// A table whose type depends on a type parameter would have the runtime look that type up at every use. `AnyHashable`
/// would search for conformances each time one is made.
struct Erased: Hashable, @unchecked Sendable {  // the box never changes, and its value is Sendable (`Kind`)
  /// What is the same for all values of a type.
  struct Kind<Value: Hashable & Sendable>: Sendable {
    fileprivate let areEqual: @Sendable (_ left: AnyObject, _ right: AnyObject) -> Bool

    init() {
      areEqual = {
        Lent.areEqual(
          unsafeDowncast($0, to: Box<Value>.self).lent, unsafeDowncast($1, to: Box<Value>.self).lent)
      }
    }
  }

  private let box: AnyObject
  private let hash: Int
  private let areEqual: @Sendable (AnyObject, AnyObject) -> Bool

  init<Value: Hashable & Sendable>(_ value: Value, _ kind: Kind<Value>) {
    box = Box(value)
    hash = value.hashValue
    areEqual = kind.areEqual
  }

  /// The value, of the type that it was made with.
  func value<Value: Hashable & Sendable>(_: Kind<Value>) -> Value {
    unsafeDowncast(box, to: Box<Value>.self).value
  }

  static func == (left: Erased, right: Erased) -> Bool {
    left.hash == right.hash && left.areEqual(left.box, right.box)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
