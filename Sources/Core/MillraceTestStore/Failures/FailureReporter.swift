import Testing

/// Fails the test in which it was made, from whatever task or thread.
///
/// Swift Testing attributes an issue to the test of the current task. A store's runs execute in detached tasks, which
/// belong to no test, while other tests run in parallel. So a reporter starts a task in the context of the test, and
/// sends it the failures of other contexts; the task records them as issues of that test, also within the
/// `withKnownIssue` in which the reporter was made. The task ends when the reporter is released.
///
/// Under XCTest, which runs one test at a time, a failure belongs to the test that runs when it is reported. Where no
/// test runs, a failure becomes a line on standard error, and an issue of no test in a run of Swift Testing.
///
/// All members can be used from any thread.
package final class FailureReporter: Sendable {
  private enum Destination {
    case captured(FailureCapture)
    case test(AsyncStream<(TestFailure, ticket: Int)>.Continuation)
    case unknown
  }

  private static let pending = PendingFailures()

  private let destination: Destination

  /// Makes a reporter for the test that calls this.
  package init() {
    if let capture = FailureCapture.current {
      destination = .captured(capture)
    } else if Test.current != nil {
      destination = .test(Self.startRecording())
    } else {
      destination = .unknown
    }
  }

  deinit {
    if case .test(let failures) = destination { failures.finish() }  // what was sent before is still recorded
  }

  /// Fails the test.
  ///
  /// In the context of a test, the failure is recorded when this returns. In any other task the failure is recorded
  /// soon after; ``flush()`` waits for that.
  package func fail(_ message: String, at place: TestPlace) {
    let failure = TestFailure(message, at: place)
    if let capture = FailureCapture.current { return capture.append(failure) }
    if Test.current != nil { return failure.recordIssue() }
    switch destination {
    case .captured(let capture): capture.append(failure)
    case .test(let failures): failures.yield((failure, Self.pending.sent()))
    case .unknown: failure.reportToAnyLibrary()
    }
  }

  /// Waits until every failure that was reported in this process before the call has been recorded.
  ///
  /// Failures that are recorded after their test has ended fail the run, but the test is shown as passed; those of the
  /// last test can be lost. A test that waits here has neither. The call waits only for the recording, whatever the
  /// number of tests that run.
  package static func flush() async { await pending.wait() }

  private static func startRecording() -> AsyncStream<(TestFailure, ticket: Int)>.Continuation {
    let (failures, continuation) = AsyncStream<(TestFailure, ticket: Int)>.makeStream()
    // Not detached: the task inherits the test, its arguments and its known issues.
    Task {
      for await (failure, ticket) in failures {
        failure.recordIssue()
        pending.recorded(ticket)
      }
    }
    return continuation
  }
}
