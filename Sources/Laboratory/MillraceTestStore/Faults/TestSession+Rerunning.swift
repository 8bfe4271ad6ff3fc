import Millrace
import Testing

extension TestSession {
  /// Whether the test makes more steps than a rerun may: then the faults no longer strike, and the test sees no request in
  /// progress.
  var isEndless: Bool { bound.withLock { $0.bound.isExceeded } }

  /// The test makes a step, or looks at what is in progress.
  func did(_ work: Int, _ name: String, at place: TestPlace?) {
    let (isExceeded, isHopeless) = bound.withLock { ($0.bound.did(work), $0.bound.isHopeless) }
    guard isExceeded || isHopeless else { return }
    let running = book.withLock { $0.running.prefix(3).map(\.text) }
    let loop = """
      does not end: it goes on with \(name)\(place.map { " at \($0)" } ?? ""), \
      in progress: \(running.isEmpty ? "nothing" : running.joined(separator: "; "))
      """
    if isHopeless {
      fatalError("A rerun of the test of \(origin) \(loop)")  // nothing else ends a loop of the test's
    }
    bound.withLock { $0.loop = loop }
  }

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
