#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// Reads and writes of file descriptors. A call that a signal interrupts is made again.
package enum DescriptorIO {
  /// The system's error number of a call that has failed.
  package struct Failure: Error, Hashable {
    package let number: Int32

    package init(number: Int32) { self.number = number }
  }

  /// Returns the number of bytes that were read; 0 at the end.
  ///
  /// - Parameter offset: where to read; by default where the descriptor is, which then moves on.
  package static func read(
    _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer, at offset: Int? = nil
  ) -> Result<Int, Failure> {
    uninterrupted {
      if let offset { return pread(descriptor, room.baseAddress, room.count, off_t(offset)) }
      #if canImport(Darwin)
      return Darwin.read(descriptor, room.baseAddress, room.count)
      #elseif canImport(Glibc)
      return Glibc.read(descriptor, room.baseAddress, room.count)
      #else
      return Musl.read(descriptor, room.baseAddress, room.count)
      #endif
    }
  }

  /// Returns the number of bytes that were written.
  ///
  /// - Parameter offset: where to write; by default where the descriptor is, which then moves on.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil
  ) -> Result<Int, Failure> {
    uninterrupted {
      if let offset { return pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
      #if canImport(Darwin)
      return Darwin.write(descriptor, bytes.baseAddress, bytes.count)
      #elseif canImport(Glibc)
      return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      #else
      return Musl.write(descriptor, bytes.baseAddress, bytes.count)
      #endif
    }
  }

  /// Writes all of the bytes.
  package static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil
  ) -> Result<Void, Failure> {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      switch write(rest, to: descriptor, at: offset.map { $0 + written }) {
      // No system writes nothing of something; trying again would go on for ever.
      case .success(0): return .failure(Failure(number: ENOSPC))
      case .success(let count): written += count
      case .failure(let failure): return .failure(failure)
      }
    }
    return .success(())
  }

  private static func uninterrupted(_ call: () -> Int) -> Result<Int, Failure> {
    while true {
      let count = call()
      if count >= 0 { return .success(count) }
      if errno != EINTR { return .failure(Failure(number: errno)) }
    }
  }
}
