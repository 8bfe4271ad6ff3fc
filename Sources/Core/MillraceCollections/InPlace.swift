/// Calls `body` with a value that stays in its memory.
///
/// The value is neither copied nor accessed for writing, so any number of threads can read it at once. All reads of
/// shared memory use these two functions. An expression such as `f(pointer.pointee)` would first copy a value of a
/// generic type to the stack, and an `inout` argument would be a write.
@inline(__always)
func readInPlace<Value: ~Copyable, Result, Failure: Error>(
  _ pointer: UnsafePointer<Value>, _ body: (borrowing Value) throws(Failure) -> Result
) throws(Failure) -> Result {
  try body(pointer.pointee)  // cannot copy: `Value` may be a type that has no copies
}

/// Calls `body` with two values that stay in their memory.
@inline(__always)
func readInPlace<Value: ~Copyable, Result, Failure: Error>(
  _ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>,
  _ body: (_ left: borrowing Value, _ right: borrowing Value) throws(Failure) -> Result
) throws(Failure) -> Result {
  try body(left.pointee, right.pointee)
}

extension UnsafePointer where Pointee: Identifiable {
  /// The id of the value, read in place.
  package var id: Pointee.ID {
    @inline(__always) get { readInPlace(self) { (value: borrowing Pointee) in value.id } }
  }
}

extension UnsafeMutablePointer where Pointee: Identifiable {
  /// The id of the value, read in place.
  package var id: Pointee.ID { UnsafePointer(self).id }
}

extension UnsafePointer where Pointee: Equatable {
  /// Whether the values are equal, or are one value in the same memory. Compares them in place.
  @inline(__always)
  package func isEqual(to other: Self) -> Bool {
    self == other
      || readInPlace(self, other) { (left: borrowing Pointee, right: borrowing Pointee) in left == right }
  }
}
