import Foundation

/// A terminal that nobody sits at: what is written to one side comes out of the other.
final class PseudoTerminal: Sendable {
  /// The side of whoever sits at it.
  let master: Int32
  /// The side of the program.
  let slave: Int32

  init(columns: UInt16 = 80) throws {
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    guard Self.open(&ends.master, &ends.slave) == 0 else { throw POSIXError(.ENODEV) }
    (master, slave) = ends
    for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    resize(columns: columns)
  }

  private static func open(_ master: inout Int32, _ slave: inout Int32) -> Int32 {
    #if canImport(Darwin)
    return openpty(&master, &slave, nil, nil, nil)
    #else
    // The C library has it; the module that Swift imports has not.
    typealias OpenTerminal =
      @convention(c) (
        UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, OpaquePointer?, OpaquePointer?,
        OpaquePointer?
      ) -> Int32
    guard let function = dlsym(dlopen(nil, RTLD_NOW), "openpty") else { return -1 }
    return unsafeBitCast(function, to: OpenTerminal.self)(&master, &slave, nil, nil, nil)
    #endif
  }

  deinit {
    close(master)
    close(slave)
  }

  func resize(columns: UInt16) {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Presses keys.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  /// What the program has written so far and nobody has read yet.
  func shown() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, 0) == 1, case let count = read(master, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
