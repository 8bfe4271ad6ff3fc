import Millrace
import MillraceTesting

extension TestStore {
  /// Ends the test: waits until everything has settled, fails the test with what is left, and ends the store.
  ///
  /// What is left are actions that were not received, requests that were never answered or named, and requests in
  /// progress. A request of a connection in the background may be in progress, if it was named.
  ///
  /// - Parameter requests: what may still be in progress.
  public func finish(
    running requests: any Hashable & Sendable..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    session.giveLateAnswers()
    await settle()
    expectNothingUnasserted(before: "finish()", at: place)
    let waiting = store.waitingPlaces()
    let expected = requests.map { AnyHashable($0) }
    let (book, exhaustivity) = session.book.withLock { book in
      book.isFinished = true
      return (book, book.exhaustivity)
    }
    let left = book.runs.filter { run in
      if run.ending != nil { return !run.isNamed }
      if expected.contains(AnyHashable(run.identity.request)) { return false }
      return !(run.isBackground && run.isNamed)
    }
    if exhaustivity.contains(.requests), !left.isEmpty {
      let lines = left.map { run in
        switch run.ending {
        case nil:
          let places = waiting[run.identity.generation, default: []]
          return
            "  in progress: \(run.text)\(places.isEmpty ? "" : ", waits for \(places.joined(separator: " and "))")"
        case .withdrawn?, .disconnected?, .finished?:
          return "  \(run.ending.map(book.text) ?? "") and never named: \(run.text)"
        case let ending?: return "  \(book.text(of: ending)): \(run.text)"
        }
      }
      fail("Left at the end of the test:\n\n\(lines.joined(separator: "\n"))", at: place)
    }
    let report = await store.shutdown()
    if !report.isClean {
      fail("These do not return though they were stopped:\n\n\(report)", at: place)
    }
    CoverageFile.append(session.coverage.withLock { $0 })
    await FailureReporter.flush()
  }
}
