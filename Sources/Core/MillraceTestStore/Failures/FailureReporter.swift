import Testing

/// Fails the test in which it was made, from any task or thread.
///
/// Swift Testing attributes an issue to the test of the current task. A store's runs execute in detached tasks, which
/// belong to no test, while other tests run in parallel. So a reporter starts a task in the context of its test, and
/// passes failures from other contexts to it. The task records them as issues of that test, also within the
/// `withKnownIssue` in which the reporter was made. The task ends when the reporter is released.
///
/// XCTest runs one test at a time, and a failure belongs to the test that is running. If no test is running, a failure
/// is written to standard error; in a run of Swift Testing it also becomes an issue without a test.
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
    if case .test(let failures) = destination { failures.finish() }  // earlier failures are still recorded
  }

  /// Fails the test.
  ///
  /// In the context of a test, the failure is recorded when this returns. In any other task it is recorded soon after;
  /// ``flush()`` waits for that.
  package func fail(_ message: String, at place: TestPlace) {
    let failure = TestFailure(message: message, place: place)
    if let capture = FailureCapture.current { return capture.append(failure) }
    if Test.current != nil { return failure.recordIssue() }
    switch destination {
    case .captured(let capture): capture.append(failure)
    case .test(let failures): failures.yield((failure, Self.pending.sent()))
    case .unknown: failure.reportToAnyLibrary()
    }
  }

  /// Waits until every failure reported before the call, in this process, has been recorded.
  ///
  /// A failure that is recorded after its test has ended fails the run, but the test is shown as passed; after the last
  /// test it can be lost. Waiting here prevents both. The wait takes only as long as the recording, however many tests
  /// run.
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
