import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

/// A subprocess that a test runs, with all that it sends.
struct ProcessRun {
  let sent = Recorder<SubprocessEvent<Int>>()
  let clock = TestClock()

  static func shell(_ script: String) -> SubprocessRequest<Int> {
    SubprocessRequest(1, "/bin/sh", ["-c", script])
  }

  /// A script whose processes die with this one.
  static func guarded(_ script: String) -> SubprocessRequest<Int> {
    var request = shell(script)
    request.diesWithParent = true
    return request
  }

  func start(_ request: SubprocessRequest<Int>) -> Task<Void, any Error> {
    Task { [clock, sent] in
      try await SubprocessEffect(clock: clock).run(request, send: .recording(into: sent))
    }
  }

  /// Runs it to its end.
  func run(_ request: SubprocessRequest<Int>) async throws { try await start(request).value }

  /// The lines of a stream so far.
  func lines(_ stream: SubprocessLine.Stream = .output) -> [String] {
    sent.values.compactMap { event in
      if case .wrote(_, let line) = event, line.stream == stream { line.text } else { nil }
    }
  }

  /// Waits for so many events, the start included, and returns the lines among them.
  func lines(afterEvents count: Int) async throws -> [String] {
    try await sent.values(atLeast: count)
    return lines()
  }

  var termination: SubprocessTermination? {
    if case .ended(_, let termination) = sent.values.last { termination } else { nil }
  }

  var processID: Int32? {
    if case .started(_, let id) = sent.values.first { id } else { nil }
  }

  /// Returns when there is no such process any more, or nobody but the system knows it.
  static func gone(_ process: Int32) async throws {
    try await eventually { !isThere(process) }
  }

  static func isThere(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return false }
    // In a container there may be nobody who fetches the status of orphans.
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return stat.map { !$0.contains(") Z ") } ?? FileManager.default.fileExists(atPath: "/proc/\(process)")
  }
}
