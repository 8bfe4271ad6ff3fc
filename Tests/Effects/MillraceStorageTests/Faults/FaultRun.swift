#if os(Linux)
import Foundation
import TestSupport

/// One run of a scenario by a process whose system calls may fail.
struct FaultRun {
  /// What the process has said.
  let lines: [String]
  /// Its system calls, one a line.
  let trace: [String]
  let folder: TemporaryFolder

  var path: String { folder.file("kept") }

  /// The call that was made to fail, if any was.
  var fault: String? { trace.first { $0.hasPrefix("fault ") } }

  /// Runs a scenario.
  ///
  /// - Parameters:
  ///   - number: which system call fails, from 1.
  ///   - kind: how, in the words of `faults.c`.
  ///   - prepared: called with the folder before the run begins.
  init(
    _ scenario: FaultScenario, failing number: Int = 0, kind: String = "",
    prepared: (TemporaryFolder) throws -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder(isInMemory: true)
    try scenario.prepare(folder.file("kept"))
    try prepared(folder)
    let trace = try TemporaryFolder(isInMemory: true)
    let child = try ProbeProcess(
      ["fault", folder.file("kept"), scenario.operation],
      environment: [
        "LD_PRELOAD": try FaultLibrary.path(), "FAULT_FOLDER": folder.path, "FAULT_AT": "\(number)",
        "FAULT_KIND": kind, "FAULT_TRACE": trace.file("trace"),
      ])
    lines = child.lines()
    self.trace = String(decoding: try trace.read("trace"), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }
}
#endif
