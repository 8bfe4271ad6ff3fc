import Millrace

/// Collects failures instead of the running test, for the tests of this module.
package final class FailureCapture: Sendable {
  @TaskLocal static var current: FailureCapture?

  private let kept = Lock<[TestFailure]>([])  // all that changes

  /// Calls `body`, and returns the failures that were reported within it. Includes failures of reporters that were made
  /// within it, until `body` returns.
  package nonisolated(nonsending) static func failures(
    of body: () async throws -> Void
  ) async rethrows -> [TestFailure] {
    let capture = FailureCapture()
    try await $current.withValue(capture, operation: body)
    return capture.kept.withLock { $0 }
  }

  func append(_ failure: TestFailure) { kept.withLock { $0.append(failure) } }
}
