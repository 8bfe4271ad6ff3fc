/// What a ``SubprocessEffect`` sends: `started`, its lines, and then `ended`; or `failed`, after which nothing comes.
public enum SubprocessEvent<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The program runs. Its process group has the same number.
  case started(ID, processID: Int32)
  /// It wrote a line. Lines of one stream come in their order; between the two streams no order is promised.
  case wrote(ID, SubprocessLine)
  /// It has ended, all that it wrote has been sent, and nothing of its process group is left.
  case ended(ID, SubprocessTermination)
  /// It was not started, or was ended because of what it did.
  case failed(ID, SubprocessFailure)
}

/// A line that a subprocess wrote.
public struct SubprocessLine: Hashable, Sendable {
  /// Where a line was written.
  public enum Stream: Hashable, Sendable {
    /// To standard output; or to either, if ``SubprocessRequest/mergesErrors`` is true.
    case output
    /// To standard error.
    case error
  }

  /// Where it was written.
  public var stream: Stream
  /// The line, without its line end.
  public var bytes: [UInt8]
  /// Whether the line is longer than ``SubprocessRequest/longestLine``, and goes on in the next one of its stream.
  public var isContinued: Bool

  /// The line as UTF-8; what is not valid is replaced by U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Makes a line, for tests that answer by hand.
  public init(_ stream: Stream, _ bytes: [UInt8], isContinued: Bool = false) {
    self.stream = stream
    self.bytes = bytes
    self.isContinued = isContinued
  }

  /// Makes a line of text, for tests that answer by hand.
  public init(_ stream: Stream, _ text: String) { self.init(stream, Array(text.utf8)) }
}

/// How a subprocess ended.
public enum SubprocessTermination: Hashable, Sendable {
  /// By itself, with a status, of which 0 means success.
  case exited(status: Int32)
  /// By the signal of this number.
  case killed(signal: Int32)

  /// Whether it exited with status 0.
  public var isSuccess: Bool { self == .exited(status: 0) }
}

/// Why a subprocess was not started, or does not count as ended.
public enum SubprocessFailure: Error, Hashable, Sendable {
  /// There is no such program; the path or the name as it was asked for.
  case notFound(String)
  /// There is a file at the path, and it is no program that this system can run, or this user may not run it.
  case notExecutable(path: String)
  /// There is no such folder to start in.
  case noWorkingDirectory(String)
  /// The file for its input cannot be opened.
  case unreadableInput(path: String, errorNumber: Int32)
  /// An argument, a variable or a path has a zero byte in it, or a variable's name is empty or has a `=` in it.
  case notPassable(String)
  /// The system could not start a process: too many of them, too many open files, or arguments too long.
  case notStarted(errorNumber: Int32)
  /// It wrote more than ``SubprocessRequest/outputLimit``, and was ended.
  case outputTooLarge(limit: Int)
  /// It has ended, and how is not known: this process ignores `SIGCHLD`, or has waited for it elsewhere.
  case statusLost
}
