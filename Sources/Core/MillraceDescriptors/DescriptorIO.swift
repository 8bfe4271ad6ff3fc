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

// Functions of the C library, under names that no method here has. Handlers of signals call them: no constants, which would
// be made at their first use.
private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, room, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Reads and writes of file descriptors. A call that a signal interrupts is made again.
package enum DescriptorIO {
  /// The system's error number of a call that has failed.
  package struct Failure: Error, Hashable {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The system's words for it.
    package var reason: String { String(cString: strerror(number)) }
  }

  /// Returns the number of bytes that were read; 0 at the end.
  ///
  /// - Parameter offset: where to read; by default where the descriptor is, which then moves on.
  package static func read(
    _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer, at offset: Int? = nil
  ) -> Result<Int, Failure> {
    uninterrupted {
      if let offset { return pread(descriptor, room.baseAddress, room.count, off_t(offset)) }
      return systemRead(descriptor, room.baseAddress, room.count)
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
      return systemWrite(descriptor, bytes.baseAddress, bytes.count)
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
