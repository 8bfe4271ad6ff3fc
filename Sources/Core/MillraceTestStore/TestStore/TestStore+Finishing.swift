import Millrace
import MillraceSpelling

extension TestStore {
  /// Ends the test: waits until everything has settled, fails the test if anything is left, and ends the store. Stopped
  /// bodies have ``timeLimit`` to return.
  ///
  /// Three kinds of leftovers fail the test: actions that were not received, requests that were never answered or
  /// named, and requests in progress. Those that an earlier failure has listed do not count. A request of a
  /// long-running connection may be in progress if the test has named it.
  ///
  /// - Parameter requests: the requests that may still be in progress.
  public func finish(
    running requests: any Hashable & Sendable..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let step = begin("finish()", at: place)
    defer { end(step) }
    session.rehearsal?.ends(in: session)
    _ = await settle(during: step)
    let left = leftovers(requests.map { AnyHashable($0) })
    if !left.isEmpty { fail("Left at the end of the test:\n\n\(left.joined(separator: "\n"))", at: place) }
    let (limit, clock) = session.patience.withLock { $0 }
    let isStuck = session.isStuck.withLock { $0 }
    let report = await store.shutdown(hard: isStuck ? .zero : limit, clock: clock)
    if !report.isClean {
      fail("These do not return though they were stopped:\n\n\(report)", at: place)
    }
    CoverageFile.append(session.coverage.withLock { $0 })
    await FailureReporter.flush()
  }

  /// The leftovers at the end of the test, in words: actions that were not received, then requests.
  private func leftovers(_ expected: [AnyHashable]) -> [String] {
    let waits = waitsOfRuns
    return session.book.withLock { book in
      book.isFinished = true
      book.leftInProgress = book.running
        .filter { !expected.contains(AnyHashable($0.request)) && !$0.isLongRunning }.map(\.name)
      let actions = book.takeUnreceived().map { reduced in
        let text = Spelling.text(of: reduced.action)
        guard let run = reduced.run, let seen = book.seen(run.generation) else {
          return "  not received: \(text)"
        }
        if case .answered = seen.ending { return "  answered, not received: \(seen.text), with \(text)" }
        return "  not received: \(text) from \(seen.text)"
      }
      guard book.exhaustivity.contains(.requests) else { return actions }
      let runs = book.runs.filter { run in
        if run.isExcused { return false }
        if run.ending != nil { return !run.isNamed }
        return !expected.contains(AnyHashable(run.request)) && !(run.isLongRunning && run.isNamed)
      }
      return actions
        + runs.map { run in
          switch run.ending {
          case nil: "  in progress: \(run.text)\(waits.text(of: run.identity))"
          case .withdrawn(let ending)?:
            "  \(book.text(of: .withdrawn(action: ending))) and never named: \(run.text)"
          case .disconnected?: "  disconnected and never named: \(run.text)"
          case .finished?: "  returned and never named: \(run.text)"
          case let ending?: "  \(book.text(of: ending)): \(run.text)"
          }
        }
    }
  }
}
