import Foundation
import SampleProgram
import TestSupport

/// The program `storageprobe`, run as a child process. For one thread, which it blocks.
final class ProbeProcess {
  private let process: Process
  private let input = Pipe.uninherited()
  private let output = Pipe.uninherited()
  private var unread = Data()

  convenience init(_ arguments: String...) throws { try self.init(arguments) }

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process = Program(name: "storageprobe").process(
      arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { if process.isRunning { kill() } }

  /// The next line that it writes; `nil` when it has ended.
  func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread.append(more)
    }
  }

  /// All lines that are left, once it has ended.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    process.waitUntilExit()
    return lines
  }

  /// Writes a line to its input, unless it has ended.
  func say(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

  func endInput() throws { try input.fileHandleForWriting.close() }

  func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }
}
