import Foundation
import Millrace
import MillraceSystem

/// `booking`: exit code 0, 1 if its file cannot be used, 2 for a wrong command line or link.
@main enum BookingCommand {
  static func main() async {
    TerminalOutput.replaceClosedStandardStreams()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch try Invocation(arguments) {
      case .help: print(Invocation.usage)
      case .script: try await play()
      case .run where arguments.isEmpty && !hasInput: try await play()
      case .run(let link, let file):
        let session = Session(path: try file ?? standardFile(), write: write)
        try await session.run(opening: link, on: ContinuousClock())
      }
    } catch {
      end("\(error)", code: error is Invocation.Invalid || error is Link.Invalid ? 2 : 1)
    }
  }

  private static let printer = Printer()

  /// Writes lines. Ends the program if the write fails, as in a pipe to `head`: saved state survives.
  @Sendable private static func write(_ lines: [String]) async {
    do throws(TerminalFailure) { try await printer.write(lines) } catch { exit(error.isBrokenPipe ? 0 : 1) }
  }

  private static func play() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "booking-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await Session(path: folder.appending(path: "state").path, write: write).play(.demonstration)
  }

  private static func standardFile() throws -> String {
    let folder = try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
    ).appending(path: "booking")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: "state").path
  }

  private static func end(_ reason: String, code: Int32) -> Never {
    try? TerminalOutput.standardError.write("booking: \(TerminalText.visible(reason))\n")
    exit(code)
  }

  /// Whether standard input is a terminal, a pipe or a file, and not `/dev/null`.
  private static var hasInput: Bool {
    var status = stat()
    guard fstat(0, &status) == 0 else { return false }
    return isatty(0) == 1 || status.st_mode & S_IFMT != S_IFCHR
  }
}
