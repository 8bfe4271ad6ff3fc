/// Lends a value in place: generic code that reads `pointee` would first copy all of it, however large.
///
/// Valid while the owner of the memory keeps it: a ``StatePlace`` or a ``Box``.
struct Borrowed<Value: ~Copyable>: @unchecked Sendable {  // read-only
  let pointer: UnsafePointer<Value>

  /// Calls `body` with the value. Inlined, and over values that may not be copyable: so no copy can be made.
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

  /// Whether both are equal, compared where they lie.
  @inline(__always)
  static func areEqual(_ left: Self, _ right: Self) -> Bool where Value: Equatable { read(left, right, ==) }

  /// Whether both have the same bytes. Different bytes say nothing; the same ones mean equality as long as one of the
  /// values is kept: storage that both refer to has two owners then, and is not changed in place.
  func hasBytes(of other: Self) -> Bool {
    address.hasBytes(of: other.address, count: MemoryLayout<Value>.size)
  }
}

/// An immutable value on the heap, shared by reference, at an address that never changes.
final class Box<Value>: @unchecked Sendable {  // immutable
  private let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  init(_ value: consuming Value) { pointer.initialize(to: value) }

  init(copying value: Borrowed<Value>) { pointer.initialize(from: value.pointer, count: 1) }

  // A box of another value. Where the type of the value is a parameter, these look no type up.
  func another(_ value: consuming Value) -> Self { Self(value) }
  func another(copying value: Borrowed<Value>) -> Self { Self(copying: value) }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  /// Valid while the box is kept.
  var borrowed: Borrowed<Value> { Borrowed(pointer: pointer) }

  /// Calls `body` with the value, and keeps the box meanwhile.
  func read<Result>(_ body: (Borrowed<Value>) -> Result) -> Result {
    defer { extendLifetime(self) }
    return body(borrowed)
  }

  /// A copy of the value.
  var value: Value {
    defer { extendLifetime(self) }
    return pointer.pointee
  }
}

/// Heap memory of one value at an address that never changes. It holds the state of a store, so that a reducer changes the
/// state in place and no copy of it is on a thread's stack.
final class StatePlace<State>: @unchecked Sendable {  // touched with the turn lock held
  private let pointer: UnsafeMutablePointer<State>
  let isEmpty: Bool

  init(_ state: consuming State) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: state)
    isEmpty = false
  }

  /// A place that never has a value, and no memory for one.
  init() {
    pointer = .allocate(capacity: 0)
    isEmpty = true
  }

  deinit {
    if !isEmpty { pointer.deinitialize(count: 1) }
    pointer.deallocate()
  }

  var borrowed: Borrowed<State> { Borrowed(pointer: pointer) }

  /// Puts a copy of another state in place of this one.
  func put(_ state: Borrowed<State>) { pointer.pointee = state.value }

  /// Calls a reducer with the state and an action where they lie.
  @inline(__always)
  func change<Action>(by reducer: (inout State, Action) -> Void, _ action: Borrowed<Action>) {
    Self.read(pointer, action.pointer, reducer)
  }

  /// Over values that may not be copyable: so no copy can be made.
  @inline(__always)
  private static func read<Value: ~Copyable, Other: ~Copyable>(
    _ value: UnsafeMutablePointer<Value>, _ other: UnsafePointer<Other>,
    _ body: (inout Value, borrowing Other) -> Void
  ) { body(&value.pointee, other.pointee) }
}
