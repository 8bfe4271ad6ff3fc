import Foundation

/// Writes text to a file descriptor, whole or not at all without an error.
struct Output: Sendable {
  /// A write that failed.
  struct Failure: Error, Equatable, CustomStringConvertible {
    var number: Int32
    var description: String { String(cString: strerror(number)) }
    /// Whether the reader has gone, as `head` does when it has seen enough.
    var isBrokenPipe: Bool { number == EPIPE }
  }

  static let standard = Output(descriptor: 1)
  static let error = Output(descriptor: 2)

  let descriptor: Int32

  func write(_ text: String) throws(Failure) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        throw Failure(number: errno)
      }
    }
  }

  /// Takes the places of standard streams that were closed by whoever started the program. Otherwise the next
  /// file that is opened would get one of their numbers, and the report be written into it.
  static func keepStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is this one. Open the wrong way, every use of it fails as it should.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// The columns of the terminal, if it is one.
  var terminalWidth: Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
