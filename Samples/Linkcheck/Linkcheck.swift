import Foundation
import MillraceEffects
import MillraceSystem

/// The command: reads the command line, and ends the process with an exit status.
@main struct Linkcheck {
  static let version = "1.0.0"

  static func main() async {
    TerminalOutput.replaceClosedStandardStreams()
    // Writing to a closed socket must not end the process.
    signal(SIGPIPE, SIG_IGN)
    exit(await status(for: Array(CommandLine.arguments.dropFirst())))
  }

  private static func status(for arguments: [String]) async -> Int32 {
    do {
      switch try Command(arguments) {
      case .help: return try write(Usage.text + "\n")
      case .version: return try write("linkcheck \(version)\n")
      case .check(let options): return try await Check(options).run()
      case .serve(let options): return try await Serving.run(options)
      }
    } catch let error as UsageError {
      return complain(error.description)
    } catch let failure as TerminalFailure {
      return failure.isBrokenPipe ? 128 + SIGPIPE : complain("cannot write the output: \(failure)")
    } catch {
      return complain(SystemError.message(of: error))
    }
  }

  private static func write(_ text: String) throws -> Int32 {
    try TerminalOutput.standardOutput.write(text)
    return 0
  }

  private static func complain(_ message: String) -> Int32 {
    try? TerminalOutput.standardError.write("linkcheck: \(OneLine.text(message))\n")
    return 2
  }
}
