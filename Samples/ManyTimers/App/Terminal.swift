import Dispatch
import Foundation

/// The terminal of this process, one key at a time and without echo, until it is closed.
final class Terminal: Sendable {
  private let previous: termios

  /// Whether standard input and output are a terminal.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  init?() {
    var attributes = termios()
    guard tcgetattr(STDIN_FILENO, &attributes) == 0 else { return nil }
    previous = attributes
    cfmakeraw(&attributes)
    attributes.c_oflag = previous.c_oflag  // output as before: a line end is a line end
    guard tcsetattr(STDIN_FILENO, TCSANOW, &attributes) == 0 else { return nil }
    // Clears the alternate screen, hides the cursor, disables wrapping.
    Self.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
  }

  /// Restores the terminal.
  func close() {
    Self.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    var attributes = previous
    tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
  }

  /// Shows as many lines as fit, from the top of the screen, in one write.
  func show(_ lines: [String]) {
    let visible = lines.prefix(height).map { $0 + "\u{1B}[K" }
    Self.write("\u{1B}[H" + visible.joined(separator: "\n") + "\u{1B}[J")
  }

  private var height: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }

  /// The bytes of pressed keys. Ends when the terminal is closed, or at a signal to end.
  func bytes() -> AsyncStream<UInt8> {
    AsyncStream { stream in
      let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
      input.setEventHandler {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return stream.finish() }
        for byte in buffer.prefix(count) { stream.yield(byte) }
      }
      let signals = [SIGTERM, SIGHUP].map { number in
        signal(number, SIG_IGN)  // the dispatch source receives it instead
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler { stream.finish() }
        return source
      }
      let sources: [any DispatchSourceProtocol] = [input] + signals
      nonisolated(unsafe) let shared = sources  // dispatch sources may be cancelled from anywhere
      stream.onTermination = { _ in for source in shared { source.cancel() } }
      for source in sources { source.activate() }
    }
  }

  private static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
