/// An event of a ``SubprocessEffect``: `started`, then `wrote` for each line, then `ended`; or `failed`, after which
/// no event follows.
public enum SubprocessEvent<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The program was started. Its process group has the same number, unless ``SubprocessRequest/diesWithParent`` is
  /// true.
  case started(ID, processID: Int32)
  /// The program wrote a line. Lines of one stream are in order; there is no promised order between the two streams.
  case wrote(ID, SubprocessLine)
  /// The program has ended, all of its lines have been sent, and no process of its group is left.
  case ended(ID, SubprocessTermination)
  /// The program was not started, was ended because of its output, or did not end as its request requires.
  case failed(ID, SubprocessFailure)
}

/// A line that a subprocess wrote.
public struct SubprocessLine: Codable, Hashable, Sendable {
  /// The stream to which a line was written.
  public enum Stream: Codable, Hashable, Sendable {
    /// Standard output; or either stream, if ``SubprocessRequest/mergesErrors`` is true.
    case output
    /// Standard error.
    case error
  }

  /// The stream to which it was written.
  public var stream: Stream
  /// The bytes of the line, without its line end.
  public var bytes: [UInt8]
  /// Whether the line is longer than ``SubprocessRequest/longestLine`` and continues in the next one of its stream.
  public var isContinued: Bool

  /// The line decoded as UTF-8; invalid bytes are replaced by U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Makes a line, for tests.
  public init(_ stream: Stream, _ bytes: [UInt8], isContinued: Bool = false) {
    self.stream = stream
    self.bytes = bytes
    self.isContinued = isContinued
  }

  /// Makes a line of text, for tests.
  public init(_ stream: Stream, _ text: String) { self.init(stream, Array(text.utf8)) }
}

extension SubprocessLine: CustomStringConvertible {
  /// The stream, and the text in quotation marks, with `...` if the line continues.
  public var description: String { "\(stream) \(text.debugDescription)" + (isContinued ? "..." : "") }
}

/// How a subprocess ended.
public enum SubprocessTermination: Codable, Hashable, Sendable {
  /// The program exited with a status; 0 means success.
  case exited(status: Int32)
  /// A signal with this number killed the program.
  case killed(signal: Int32)

  /// Whether the program exited with status 0.
  public var isSuccess: Bool { self == .exited(status: 0) }
}

extension SubprocessEvent: Codable where ID: Codable {}
