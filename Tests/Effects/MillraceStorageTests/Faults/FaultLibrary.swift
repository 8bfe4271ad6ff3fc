#if os(Linux)
import Foundation
import TestSupport

@testable import MillraceStorage

/// The library that makes system calls fail, built from `Tests/Effects/StorageFaults/faults.c` when it is first needed.
enum FaultLibrary {
  struct CannotBuild: Error {
    let output: String
  }

  /// Where it is.
  static func path() throws -> String { try built.get() }

  private static let built = Result { try build() }

  private static func build() throws -> String {
    let source = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("StorageFaults/faults.c").path
    // One for each version of the source, so that none is left behind by every run.
    let sum = Data.checksum(try Data(contentsOf: URL(fileURLWithPath: source)))
    let library = FileManager.default.temporaryDirectory.path + "/millrace-faults-\(sum).so"
    if FileManager.default.fileExists(atPath: library) { return library }
    let new = library + "-\(UUID().uuidString)"
    var output = ""
    // The Swift toolchain brings the first.
    for compiler in ["clang", "cc", "gcc"] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [compiler, "-shared", "-fPIC", "-O1", "-o", new, source, "-ldl", "-lpthread"]
      let pipe = Pipe.uninherited()
      process.standardError = pipe
      try process.run()
      output += String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { continue }
      guard rename(new, library) == 0 else { throw CannotBuild(output: "cannot rename \(new)") }
      return library
    }
    throw CannotBuild(output: output)
  }
}
#endif
