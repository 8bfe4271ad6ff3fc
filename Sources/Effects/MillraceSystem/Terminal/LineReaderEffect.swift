import Millrace

/// Reads lines from standard input or another file descriptor while the state asks for them.
///
/// ```swift
/// store.connect(LineReaderEffect(), to: \.isAsking, action: PromptAction.input, longRunning: true)
/// ```
///
/// Works with terminals, pipes and files. The next line is read after the last one has been reduced. Nothing is read
/// while the state does not ask; lines already read from the system are kept for the next time. The run ends at the end
/// of the input, and if the descriptor is closed or fails; to read again, remove the request from the state and add it
/// again.
///
/// The effect blocks no thread of the concurrency pool and does not change the descriptor, which other processes may
/// share. Connect one effect for each descriptor, and only once: two connections would each get some of the lines.
public struct LineReaderEffect: EffectComponent {
  private let input: LineInput

  /// Makes an effect that reads `descriptor`, by default standard input, and never closes it. A line longer than
  /// `longestLine` bytes is split; less than 1 counts as 1.
  public init(descriptor: Int32 = 0, longestLine: Int = 64 << 10) {
    input = LineInput(descriptor, longest: longestLine)
  }

  /// Returns one request while lines are asked for.
  public func requests(in isReading: Bool) -> Set<LineReadRequest> { isReading ? [LineReadRequest()] : [] }

  /// Sends lines until the input ends or the run is stopped.
  ///
  /// - Throws: a ``TerminalFailure`` if the descriptor cannot be read.
  public func run(_ request: LineReadRequest, send: Send<LineReaderEvent>) async throws(TerminalFailure) {
    let readiness = Readiness(input.descriptor, .reading)
    while !Task.isCancelled {
      switch try await input.next(readiness) {
      case .line(let line):
        guard await send(.line(InputLine(line.bytes, isContinued: line.isContinued))) == .reduced else {
          return
        }
        input.taken()
      case .ended:
        await send(.ended)
        return
      case .stopped:
        return
      }
    }
  }

  /// Returns ``LineReaderEvent/failed(_:)``.
  public func action(for failure: TerminalFailure, of request: LineReadRequest) -> LineReaderEvent {
    .failed(failure)
  }
}

/// The request of a ``LineReaderEffect`` to read lines.
public struct LineReadRequest: Hashable, Sendable {
  /// Makes a request, for tests that call the effect without a store.
  public init() {}
}

/// An event of a ``LineReaderEffect``.
public enum LineReaderEvent: Codable, Hashable, Sendable {
  /// A line was read.
  case line(InputLine)
  /// The input has ended; no line follows.
  case ended
  /// The input cannot be read, for instance because it is closed.
  case failed(TerminalFailure)
}

/// A line that was read.
public struct InputLine: Codable, Hashable, Sendable {
  /// The bytes of the line, without its line end.
  public var bytes: [UInt8]
  /// Whether the line is longer than the effect's limit and continues in the next one.
  public var isContinued: Bool

  /// The line decoded as UTF-8; invalid bytes are replaced by U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Makes a line, for tests.
  public init(_ bytes: [UInt8], isContinued: Bool = false) {
    self.bytes = bytes
    self.isContinued = isContinued
  }

  /// Makes a line of text, for tests.
  public init(_ text: String) { self.init(Array(text.utf8)) }
}

extension InputLine: CustomStringConvertible {
  /// The text in quotation marks, with `...` if the line continues.
  public var description: String { text.debugDescription + (isContinued ? "..." : "") }
}
