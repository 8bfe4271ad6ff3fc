// Calls functions of the C library, which the methods of the same names below would hide. Functions and not constants,
// since signal handlers call them, and a constant would be made at its first use.
private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, room, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Reads and writes file descriptors. A call that a signal interrupts is repeated.
package enum DescriptorIO {
  /// The system's error number of a failed call.
  package struct Failure: Error, Hashable {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The system's description of the error.
    package var reason: String { String(cString: strerror(number)) }
  }

  /// Returns the number of bytes read; 0 at the end.
  ///
  /// - Parameter offset: the offset at which to read; by default the descriptor's own position, which then advances.
  package static func read(
    _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer, at offset: Int? = nil
  ) -> Result<Int, Failure> {
    uninterrupted {
      if let offset { return pread(descriptor, room.baseAddress, room.count, off_t(offset)) }
      return systemRead(descriptor, room.baseAddress, room.count)
    }
  }

  /// Returns the number of bytes written.
  ///
  /// - Parameter offset: the offset at which to write; by default the descriptor's own position, which then advances.
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
      // No system returns 0 for a write of some bytes; repeating it could go on for ever.
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
