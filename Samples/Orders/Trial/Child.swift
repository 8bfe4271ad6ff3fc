import Foundation

/// A process that a trial starts, and kills.
// Its process is used by the task of the trial alone, its output by one thread.
final class Child: @unchecked Sendable {
  let name: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ name: String, _ program: String, _ arguments: [String], heard: @escaping @Sendable (String) -> Void)
    throws
  {
    self.name = name
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = Self.environment(of: name)
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let reading = output.fileHandleForReading
    Thread {
      var unread = Data()
      while case let more = reading.availableData, !more.isEmpty {
        unread += more
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
          heard(String(decoding: unread[..<end], as: UTF8.self))
          unread = Data(unread[(end + 1)...])
        }
      }
    }.start()
  }

  /// If the environment asks for a recording, each process makes its own: `trace.jsonl` becomes `trace-shop.jsonl`.
  private static func environment(of name: String) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    if let path = environment["MILLRACE_TRACE"], !path.isEmpty {
      let stem = path.hasSuffix(".jsonl") ? path.dropLast(6) : path[...]
      let suffix = "-\(name.replacing(" ", with: "-"))"
      environment["MILLRACE_TRACE"] = stem + suffix + path[stem.endIndex...]
    }
    return environment
  }

  var isRunning: Bool { process.isRunning }

  func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Closes its input, so that it ends in order.
  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
