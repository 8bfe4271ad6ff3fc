import Millrace
import MillraceTesting

/// Does something when it is let go of.
final class OnRelease: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

/// A number that carries an object: equal to others of its number.
struct Carrier: Hashable, Sendable {
  let number: Int
  let cargo: OnRelease

  init(_ number: Int, _ body: @escaping @Sendable () -> Void = {}) {
    self.number = number
    cargo = OnRelease(body)
  }

  static func == (left: Self, right: Self) -> Bool { left.number == right.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Holds what is only known later, such as a connection that a closure made before it is to end.
final class Late<Value: Sendable>: Sendable {
  private let content = Lock<Value?>(nil)
  var value: Value? {
    get { content.withLock { $0 } }
    set {
      let old = content.withLock { content in
        defer { content = newValue }
        return content
      }
      withExtendedLifetime(old) {}  // let go of with no lock held
    }
  }
}
