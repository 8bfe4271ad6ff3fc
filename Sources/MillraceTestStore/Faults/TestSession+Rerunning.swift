import Millrace
import Testing

extension TestSession {
  /// Runs a test whose own expectations do not count.
  func runAgain(_ test: (TestStore<State, Action>) async throws -> Void, at place: TestPlace) async {
    _ = await FailureCapture.failures {
      let store = TestStore(session: self, place: place)
      if Test.current == nil {
        try? await test(store)
      } else {
        await withKnownIssue("a rerun of the test", isIntermittent: true) { try await test(store) }
      }
      giveLateAnswers()  // of a test that has not come to its end
      lastState = self.store.state
      book.withLock { $0.isFinished = true }
    }
  }
}
