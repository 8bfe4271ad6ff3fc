/// Accesses a value in place. Generic code that reads `pointee` would copy all of it first, however large it is.
///
/// Valid while a ``StatePlace`` or a ``Box`` keeps the memory.
struct Borrowed<Value: ~Copyable>: @unchecked Sendable {  // read-only
  let pointer: UnsafePointer<Value>

  /// Calls `body` with the value. It is inlined, and generic over non-copyable values, so that it cannot copy the
  /// value.
  @inline(__always)
  func read<Result>(_ body: (borrowing Value) -> Result) -> Result { body(pointer.pointee) }

  var address: Address { Address(of: pointer) }

  /// The value at an offset within this one.
  func part<Part>(at offset: Int, _: Part.Type) -> Borrowed<Part> {
    address.part(at: offset).borrowed(as: Part.self)
  }
}

extension Borrowed {
  /// A copy of the value.
  var value: Value { read { copy $0 } }
}

extension Borrowed where Value: ~Copyable {
  @inline(__always)
  private static func read<Result>(
    _ left: Self, _ right: Self, _ body: (borrowing Value, borrowing Value) -> Result
  ) -> Result { body(left.pointer.pointee, right.pointer.pointee) }

  /// Whether both are equal. Compares them in place.
  @inline(__always)
  static func areEqual(_ left: Self, _ right: Self) -> Bool where Value: Equatable { read(left, right, ==) }

  /// Whether both have the same bytes. Different bytes do not mean that the values differ. Equal bytes mean equal
  /// values while one of the values is kept: storage to which both refer then has two owners, and is not changed in
  /// place.
  func hasBytes(of other: Self) -> Bool {
    address.hasBytes(of: other.address, count: MemoryLayout<Value>.size)
  }
}

/// A value on the heap, shared by reference, at an address that never changes. It is immutable, except in a
/// ``StatePlace``.
class Box<Value>: @unchecked Sendable {  // immutable
  fileprivate final let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  required init(_ value: consuming Value) { pointer.initialize(to: value) }

  required init(copying value: Borrowed<Value>) { pointer.initialize(from: value.pointer, count: 1) }

  // Make a box of another value. If the value's type is a parameter, these functions do not look it up.
  final func another(_ value: consuming Value) -> Self { Self(value) }
  final func another(copying value: Borrowed<Value>) -> Self { Self(copying: value) }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  /// Valid while the box is kept.
  final var borrowed: Borrowed<Value> { Borrowed(pointer: pointer) }

  /// Calls `body` with the value, and keeps the box meanwhile.
  final func read<Result>(_ body: (Borrowed<Value>) -> Result) -> Result {
    defer { extendLifetime(self) }
    return body(borrowed)
  }

  /// A copy of the value.
  final var value: Value { read { $0.value } }
}

/// The state of a store. A reducer changes it in place, so that no copy of it is on a thread's stack.
final class StatePlace<State>: Box<State>, @unchecked Sendable {  // accessed with the turn lock held
  /// Replaces the state by a copy of another one.
  func put(_ state: Borrowed<State>) { pointer.pointee = state.value }

  /// Calls a reducer with the state and an action in place.
  @inline(__always)
  func change<Action>(by reducer: (inout State, Action) -> Void, _ action: Borrowed<Action>) {
    action.read { reducer(&pointer.pointee, $0) }
  }
}
