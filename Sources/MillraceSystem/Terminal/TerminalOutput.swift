#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// A file descriptor that text is written to: a terminal, a pipe or a file.
///
/// ```swift
/// let terminal = TerminalOutput.standardError
/// try terminal.write("checking \(terminal.size?.columns ?? 80) columns\n")
/// ```
///
/// All members can be used from any thread.
public struct TerminalOutput: Hashable, Sendable {
  /// File descriptor 1.
  public static var standardOutput: TerminalOutput { TerminalOutput(descriptor: 1) }
  /// File descriptor 2.
  public static var standardError: TerminalOutput { TerminalOutput(descriptor: 2) }

  /// The file descriptor. It is not closed here.
  public let descriptor: Int32

  /// Writes to a descriptor that whoever made it keeps open.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes all of a text, and blocks while there is no room for it, as at a pipe that nobody reads: not for tasks of
  /// the concurrency pool.
  ///
  /// - Throws: ``TerminalFailure`` when it cannot be written, of which a part then may have been. That nobody reads any
  ///   more is such an error; no `SIGPIPE` is raised.
  public func write(_ text: String) throws(TerminalFailure) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      switch Descriptor(number: descriptor).write(rest) {
      case .wrote(let count): rest = rest.dropFirst(count)
      case .failed(let number): throw TerminalFailure(errorNumber: number)
      case .wouldBlock:
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      }
    }
  }

  /// Whether it is a terminal.
  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// How much room there is, as of now; `nil` if it is no terminal, or one that does not say. Costs a system call.
  public var size: TerminalSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Opens `/dev/null` in place of standard input, output and error where whoever started the program has closed them,
  /// so that the next file that is opened does not get one of their numbers and what was meant for a terminal. Using
  /// such a stream fails, as it should. To be called first in `main`.
  public static func replaceClosedStandardStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is this one. Opened the wrong way.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}

/// The room on a terminal.
public struct TerminalSize: Hashable, Sendable {
  /// Characters in a line.
  public var columns: Int
  /// Lines.
  public var rows: Int

  /// Makes a size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// Why a terminal, or what is there in place of one, cannot be read or written.
public struct TerminalFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's error number, such as `ENOSPC` or `EBADF`.
  public var errorNumber: Int32

  /// Makes a failure, for tests that answer by hand.
  public init(errorNumber: Int32) { self.errorNumber = errorNumber }

  /// Whether nobody reads any more, as when `head` has seen enough.
  public var isBrokenPipe: Bool { errorNumber == EPIPE }

  /// The system's words for it.
  public var description: String { String(cString: strerror(errorNumber)) }
}
