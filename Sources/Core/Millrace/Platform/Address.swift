import MillraceDescriptors

/// The address of a value whose type is unknown here.
struct Address {
  let pointer: UnsafeRawPointer

  /// The address of a part that is stored at an offset.
  @inline(__always)
  func part(at offset: Int) -> Address { Address(pointer: pointer + offset) }

  /// The value at the address. It must have this type.
  @inline(__always)
  func borrowed<Value>(as _: Value.Type) -> Borrowed<Value> {
    Borrowed(pointer: pointer.assumingMemoryBound(to: Value.self))
  }

  @inline(__always)
  func hasBytes(of other: Address, count: Int) -> Bool {
    if count == 8 {
      return pointer.loadUnaligned(as: UInt64.self) == other.pointer.loadUnaligned(as: UInt64.self)
    }
    return memcmp(pointer, other.pointer, count) == 0
  }
}

extension Address {
  @inline(__always)
  init<Value: ~Copyable>(of value: UnsafePointer<Value>) { pointer = UnsafeRawPointer(value) }
}

/// The offset of a part in its whole, and the address of the last value of the part. They suffice to find, without a
/// call, that the part is unchanged.
struct PartBytes {
  let offset: Int
  let size: Int
  private var last: Address

  /// - Parameter last: the last value of the part. The caller keeps it while this is used.
  init<Part>(at offset: Int, last: Borrowed<Part>) {
    self.offset = offset
    size = MemoryLayout<Part>.size
    self.last = last.address
  }

  /// Whether the part has the bytes of its last value in the whole at `whole`. Equal bytes mean equal values: equality
  /// is reflexive, and storage shared with the last value cannot have been changed in place.
  @inline(__always)
  func areUnchanged(in whole: Address) -> Bool { whole.part(at: offset).hasBytes(of: last, count: size) }
}
