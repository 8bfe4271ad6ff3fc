#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// The offset of a part in the value that stores it, and the address of the last value of the part: enough to find without
/// any call that the part has not changed.
struct PartBytes {
  let offset: Int
  let size: Int
  private var last: UnsafeRawPointer

  /// - Parameter last: the last value of the part, which the caller keeps for as long as this is used.
  init<Part>(at offset: Int, last: Lent<Part>) {
    self.offset = offset
    size = MemoryLayout<Part>.size
    self.last = UnsafeRawPointer(last.pointer)
  }

  /// Whether the part has the bytes of its last value in the value at `whole`. That makes it equal: equality is
  /// reflexive, and storage that the last value shares cannot have been changed in place.
  @inline(__always)
  func areUnchanged(in whole: UnsafeRawPointer) -> Bool {
    let part = whole + offset
    if size == 8 { return part.loadUnaligned(as: UInt64.self) == last.loadUnaligned(as: UInt64.self) }
    return haveEqualBytes(part, last, size)
  }
}

@inline(__always)
func haveEqualBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ size: Int) -> Bool {
  memcmp(left, right, size) == 0
}
