import Foundation
import TestSupport

/// A built program of this package, run as a user would.
public struct Program: Sendable {
  private let name: String

  /// Names a program; it must be built with the tests.
  public init(name: String) { self.name = name }

  /// Where it is.
  public var url: URL { Self.folder.appendingPathComponent(name) }

  /// What a program wrote, and how it ended.
  public struct Outcome: Sendable {
    public let output, errors: String
    public let exitCode: Int32
    /// Whether it complained of nothing. On a busy machine, debug builds report a wait of a second: in a line, then one
    /// for each connection and, indented, for its work.
    public var isQuiet: Bool {
      var isInReport = false
      return errors.split(separator: "\n").allSatisfy { line in
        let isListed = line.hasPrefix("  ") || line.hasPrefix("and ") || line.contains(" at ")
        isInReport = line.hasSuffix(" has waited for a second, for") || isInReport && isListed
        return isInReport
      }
    }
  }

  /// A process of the program, to be started. If it crashes, it starts no other that prints its backtrace: that one would
  /// hold its pipes, and wait for ever where the program is killed meanwhile.
  public func process(
    _ arguments: [String] = [], environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Process {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.environment = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    return process
  }

  /// Runs the program to its end, on a thread of its own. Its input is empty.
  public func run(_ arguments: [String] = []) async throws -> Outcome {
    try await onOwnThread { [self] in
      let process = process(arguments)
      process.standardInput = FileHandle.nullDevice
      let (output, errors) = (Pipe.uninherited(), Pipe.uninherited())
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      let written = output.fileHandleForReading.readDataToEndOfFile()
      let complaints = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return Outcome(
        output: String(decoding: written, as: UTF8.self),
        errors: String(decoding: complaints, as: UTF8.self), exitCode: process.terminationStatus)
    }
  }

  /// Where the package's products are: with the tests.
  private static var folder: URL {
    // On Apple systems the tests are a bundle that another program loads.
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }
}
