import MillraceTestStore
import Testing

/// Where a test takes an issue for granted, it is one of that test: an issue of another test would leave it waiting.
@Suite("FailureReporter") struct FailureReporterTests {
  @Test("failures in detached tasks are issues of the test that made the reporter", arguments: 0..<12)
  func detached(number: Int) async {
    let place = TestPlace()
    await withKnownIssue {
      let reporter = FailureReporter()
      await Task.detached {
        #expect(Test.current == nil)
        reporter.fail("failure \(number)", at: place)
      }.value
      await FailureReporter.flush()
    } matching: { issue in
      issue.comments == ["failure \(number)"] && issue.sourceLocation == place.sourceLocation
    }
  }

  @Test("a failure in the test's own context is recorded when the call returns")
  func direct() {
    let place = TestPlace(line: 12, column: 3)
    withKnownIssue {
      FailureReporter().fail("a failure", at: place)
    } matching: { issue in
      issue.comments == ["a failure"] && issue.sourceLocation?.line == 12 && issue.sourceLocation?.column == 3
        && issue.sourceLocation?.fileID == "MillraceTestStoreTests/FailureReporterTests.swift"
    }
  }

  @Test("a failure is recorded although the reporter was released after it")
  func released() async {
    await withKnownIssue {
      var reporter: FailureReporter? = FailureReporter()
      await Task.detached { [reporter] in reporter?.fail("a failure", at: TestPlace()) }.value
      reporter = nil
      await FailureReporter.flush()
    } matching: { issue in
      issue.comments == ["a failure"]
    }
  }

  @Test("a reporter that was made outside of a test fails the test in which it is used")
  func madeElsewhere() async {
    let reporter = await Task.detached { FailureReporter() }.value
    withKnownIssue {
      reporter.fail("a failure", at: TestPlace())
    } matching: { issue in
      issue.comments == ["a failure"]
    }
  }

  @Test("captured failures have their message and place")
  func captured() async {
    let line: UInt = #line + 2
    let failures = await FailureCapture.failures {
      let (reporter, place) = (FailureReporter(), TestPlace())
      reporter.fail("one", at: place)
      await Task.detached { reporter.fail("two", at: place) }.value
    }
    let place = "MillraceTestStoreTests/FailureReporterTests.swift:\(line)"
    #expect(failures.map(\.description) == ["\(place): one", "\(place): two"])
  }

  @Test("a flush without failures returns")
  func nothing() async { await FailureReporter.flush() }
}
