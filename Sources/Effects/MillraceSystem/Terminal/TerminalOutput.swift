import Foundation

/// A file descriptor to which text is written: a terminal, a pipe or a file.
///
/// ```swift
/// let terminal = TerminalOutput.standardError
/// try terminal.write("checking \(terminal.size?.columns ?? 80) columns\n")
/// ```
///
/// All members can be used from any thread.
public struct TerminalOutput: Hashable, Sendable {
  /// Standard output, the file descriptor 1.
  public static var standardOutput: TerminalOutput { TerminalOutput(descriptor: 1) }
  /// Standard error, the file descriptor 2.
  public static var standardError: TerminalOutput { TerminalOutput(descriptor: 2) }

  /// The file descriptor. This type never closes it.
  public let descriptor: Int32

  /// Makes an output for a descriptor that its owner keeps open.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes all of a text. Blocks while there is no room for it, for instance if nothing reads a pipe, so do not call
  /// it in tasks of the concurrency pool.
  ///
  /// - Throws: a ``TerminalFailure`` if writing fails; a part may have been written. The error is `EPIPE` if the
  ///   reading end of a pipe was closed; no `SIGPIPE` is raised.
  public func write(_ text: String) throws(TerminalFailure) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      switch Descriptor(number: descriptor).write(rest) {
      case .success(let count): rest = rest.dropFirst(count)
      case .failure(let failure):
        guard failure.isForNow else { throw TerminalFailure(errorNumber: failure.number) }
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      }
    }
  }

  /// Whether the descriptor is a terminal.
  public var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The current size of the terminal; `nil` if the descriptor is not a terminal or its size is unknown. Costs a
  /// system call.
  public var size: TerminalSize? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Opens `/dev/null` as standard input, output and error, for each of these that is closed. Otherwise a file opened
  /// later could get such a number, and with it text meant for a terminal. Using a replaced stream fails. Call it first
  /// in `main`.
  public static func replaceClosedStandardStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is this one. Opened in the wrong direction, so that using it fails.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}

/// The size of a terminal.
public struct TerminalSize: Hashable, Sendable {
  /// The number of characters in a line.
  public var columns: Int
  /// The number of lines.
  public var rows: Int

  /// Makes a size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// The reason why a terminal, or a pipe or file in its place, cannot be read or written.
public struct TerminalFailure: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  /// The system's error number, such as `ENOSPC` or `EBADF`.
  public var errorNumber: Int32

  /// Makes a failure, for tests.
  public init(errorNumber: Int32) { self.errorNumber = errorNumber }

  /// Whether the reading end was closed, for instance by `head` after enough lines.
  public var isBrokenPipe: Bool { errorNumber == EPIPE }

  /// The system's description of the error.
  public var description: String { String(cString: strerror(errorNumber)) }
}
