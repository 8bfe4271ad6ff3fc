import Millrace

/// Reads lines, of standard input or another descriptor, while the state asks for them.
///
/// ```swift
/// store.connect(LineReaderEffect(), to: \.isAsking, action: PromptAction.input, background: true)
/// ```
///
/// Works with terminals, pipes and files. The next line is read when this one has been reduced, and nothing is read
/// while the state does not ask; lines that came in one piece and were not asked for any more wait for the next time.
/// The end of the input, and a descriptor that is closed or fails, end the run; to go on after that, take the request
/// out of the state and put it back.
///
/// Blocks no thread of the concurrency pool and does not change the descriptor, which other processes may share.
/// Connect one effect for a descriptor, and once: two would share the lines between them.
public struct LineReaderEffect: EffectComponent {
  private let input: LineInput

  /// Reads `descriptor`, which is not closed here: standard input unless told otherwise. A line that is longer than
  /// `longestLine` bytes comes in pieces; less than 1 counts as 1.
  public init(descriptor: Int32 = 0, longestLine: Int = 64 << 10) {
    input = LineInput(descriptor, longest: longestLine)
  }

  /// One, while lines are wanted.
  public func requests(in isReading: Bool) -> Set<LineReadRequest> { isReading ? [LineReadRequest()] : [] }

  /// Sends lines until the input ends or the run is stopped.
  ///
  /// - Throws: ``TerminalFailure`` when the descriptor cannot be read.
  public func run(_ request: LineReadRequest, send: Send<LineReaderEvent>) async throws(TerminalFailure) {
    let readiness = Readiness(input.descriptor, .reading)
    try await stopping(readiness) { () async throws(TerminalFailure) in
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
  }

  /// `.failed`
  public func action(for failure: TerminalFailure, of request: LineReadRequest) -> LineReaderEvent {
    .failed(failure)
  }

  private func stopping(
    _ readiness: Readiness, _ body: () async throws(TerminalFailure) -> Void
  ) async throws(TerminalFailure) {
    let result: Result<Void, TerminalFailure> = await withTaskCancellationHandler {
      do throws(TerminalFailure) { return .success(try await body()) } catch { return .failure(error) }
    } onCancel: {
      readiness.stop()
    }
    try result.get()
  }
}

/// The request of a ``LineReaderEffect``: that lines are read.
public struct LineReadRequest: Hashable, Sendable {
  /// Makes a request, for tests that run the effect by hand.
  public init() {}
}

/// What a ``LineReaderEffect`` sends.
public enum LineReaderEvent: Hashable, Sendable {
  /// A line.
  case line(InputLine)
  /// The input has ended, after the last line.
  case ended
  /// The input cannot be read, for instance because it is closed.
  case failed(TerminalFailure)
}

/// A line that was read.
public struct InputLine: Hashable, Sendable {
  /// The line, without its line end.
  public var bytes: [UInt8]
  /// Whether the line is longer than the effect takes at once, and goes on in the next one.
  public var isContinued: Bool

  /// The line as UTF-8; what is not valid is replaced by U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Makes a line, for tests that answer by hand.
  public init(_ bytes: [UInt8], isContinued: Bool = false) {
    self.bytes = bytes
    self.isContinued = isContinued
  }

  /// Makes a line of text, for tests that answer by hand.
  public init(_ text: String) { self.init(Array(text.utf8)) }
}
