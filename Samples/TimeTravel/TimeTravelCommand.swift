import Foundation
import Millrace
import MillraceSystem

/// `timetravel`: reads commands from a terminal, a pipe or a file. Without input, and with `--script`, plays a script.
@main enum TimeTravelCommand {
  static func main() async throws {
    TerminalOutput.replaceClosedStandardStreams()
    let words = CommandLine.arguments.dropFirst()
    if let word = words.first(where: { $0 != "--script" }) {
      let problem = "timetravel: '\(word)' is not understood; there is --script\n"
      FileHandle.standardError.write(Data(problem.utf8))
      exit(2)
    }
    let printer = Printer()
    let session = Session { try await printer.write($0) }
    do {
      if !words.isEmpty || !hasInput {
        try await session.run(.demonstration)
      } else {
        try await session.run(on: ContinuousClock())
      }
    } catch let failure as TerminalFailure {
      // The reader has closed the pipe, such as `head`.
      exit(failure.isBrokenPipe ? 0 : 1)
    }
  }

  /// Whether standard input is a terminal, a pipe or a file, and not `/dev/null`.
  private static var hasInput: Bool {
    var status = stat()
    guard fstat(0, &status) == 0 else { return false }
    return isatty(0) == 1 || status.st_mode & S_IFMT != S_IFCHR
  }
}
