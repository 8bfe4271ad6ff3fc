#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Android)
@preconcurrency import Android
#elseif canImport(WASILibc)
@preconcurrency import WASILibc
#endif

/// The address of a value whose type is not known here.
struct Address {
  private let pointer: UnsafeRawPointer

  @inline(__always)
  init<Value: ~Copyable>(of value: UnsafePointer<Value>) { pointer = UnsafeRawPointer(value) }

  private init(_ pointer: UnsafeRawPointer) { self.pointer = pointer }

  /// The address of a part that is stored at an offset.
  @inline(__always)
  func part(at offset: Int) -> Address { Address(pointer + offset) }

  /// The value there, which has to be of this type.
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

/// The offset of a part in the value that stores it, and the address of the last value of the part: enough to find without
/// any call that the part has not changed.
struct PartBytes {
  let offset: Int
  let size: Int
  private var last: Address

  /// - Parameter last: the last value of the part, which the caller keeps for as long as this is used.
  init<Part>(at offset: Int, last: Borrowed<Part>) {
    self.offset = offset
    size = MemoryLayout<Part>.size
    self.last = last.address
  }

  /// Whether the part has the bytes of its last value in the value at `whole`. That makes it equal: equality is
  /// reflexive, and storage that the last value shares cannot have been changed in place.
  @inline(__always)
  func areUnchanged(in whole: Address) -> Bool { whole.part(at: offset).hasBytes(of: last, count: size) }
}
