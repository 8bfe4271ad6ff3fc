/// A value without its type, hashed once. Whoever has it knows the type: all that are compared with each other are of
/// one type.
///
/// In code that has the type as a parameter, the runtime would look up the types of tables, and of all that they are
/// made of, at every use; an `AnyHashable` asks for conformances whenever one is made.
struct Erased: Hashable, @unchecked Sendable {  // immutable, as the value
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
