import Millrace
import MillraceSpelling
import MillraceTesting

extension TestStore {
  // MARK: Actions that run bodies send

  /// Waits until nothing is at work. Every body and every update has then ended, or waits for something that only the
  /// test brings about, such as a test clock, a gate or an answer. A run that waits in a line behind such a run counts
  /// as waiting, too.
  ///
  /// Steps do not wait for long-running runs: an action of such a run may come after the step. In a test of its
  /// actions, connect it without `longRunning: true`, or let its body wait at a gate or a test clock. Other waits of a
  /// body are awaited, for ``timeLimit`` at most.
  public func settle(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let step = begin("settle()", at: place)
    defer { end(step) }
    _ = await settle(during: step)
  }

  /// Waits until everything has settled, receives the next action that a run has sent, and asserts how it changed the
  /// state.
  ///
  /// ```swift
  /// await store.advance(clock, by: .seconds(5))
  /// await store.receive(.ticked) { $0.count = 1 }
  /// ```
  ///
  /// - Parameter changing: turns the state before the action into the one expected after it. A closure that changes
  ///   nothing fails the test.
  public func receive(
    _ action: Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, changing: ((inout State) -> Void)? = nil
  ) async where Action: Equatable {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(
      "receive(\(Spelling.text(of: action)))", at: place, where: { $0 == action }, changing,
      describing: { "\n\n\(Difference(expected: action, actual: $0))" })
  }

  /// Receives the next action that a run has sent, if it satisfies a condition.
  public func receive(
    where isExpected: (Action) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, changing: ((inout State) -> Void)? = nil
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(
      "receive(where:)", at: place, where: isExpected, changing,
      describing: { " \(Spelling.text(of: $0))" })
  }

  /// - Parameter text: describes an action that was received instead, behind a colon.
  private func receive(
    _ name: String, at place: TestPlace, where isExpected: (Action) -> Bool,
    _ changing: ((inout State) -> Void)?, describing text: (Action) -> String
  ) async {
    let step = begin(name, at: place)
    defer { end(step) }
    guard let reduced = await nextReceived(step, where: isExpected) else { return }
    if isExpected(reduced.action) {
      expect(reduced.state, after: changing, of: step)
    } else {
      // The effect of another action on the state belongs to the same mistake, so it is not checked.
      _ = session.book.withLock { $0.expectation(for: reduced.state) }
      fail("Another action was received:\(text(reduced.action))", at: place)
    }
    session.rehearsal?.stepEnded(in: session)
  }

  /// The oldest unasserted action. If the test need not receive all actions, the oldest one sought.
  private func nextReceived(
    _ step: TestStep, where isSought: (Action) -> Bool
  ) async -> TestBook<State, Action>.Reduced? {
    guard await settle(during: step) else { return nil }
    let (found, isReported) = session.book.withLock { book in
      let isEach = book.exhaustivity.contains(.actions)
      let found = book.takeFirst { isEach || isSought($0.action) }
      return (found, found == nil && book.takeReported(where: isSought))
    }
    if found == nil, !isReported {
      fail("Nothing was received by \(step.name).\(runningList(namingLongRunning: true))", at: step.place)
      session.book.withLock { $0.excuse { $0.ending == nil } }
    }
    return found
  }

  /// The work in progress and its waits, for a message.
  ///
  /// - Parameters:
  ///   - request: a request that the message also names.
  ///   - namingLongRunning: whether to mark the runs that steps do not wait for.
  func runningList(besides request: AnyHashable? = nil, namingLongRunning: Bool = false) -> String {
    let waits = waitsOfRuns
    let running = session.book.withLock { $0.running }
    if running.isEmpty { return " Nothing is in progress." }
    let others = request.map { [$0] } ?? []
    let lines = running.map { run in
      let isNamed = namingLongRunning && run.isLongRunning
      let note = isNamed ? ", long-running: steps do not wait for it" : ""
      return "  \(run.text(besides: others))\(waits.text(of: run.identity))\(note)"
    }
    return " In progress:\n\n\(lines.joined(separator: "\n"))"
  }

  /// The waits of each run's tasks, by the number of the run.
  var waitsOfRuns: [UInt64: [String]] {
    let work = store.activity.entries.flatMap(\.work)
    return Dictionary(work.compactMap { work in work.generation.map { ($0, work.waitsFor) } }) { first, _ in
      first
    }
  }
}

extension [UInt64: [String]] {
  /// The waits of a run, as the end of a line.
  func text(of run: RunIdentity) -> String {
    let reasons = self[run.generation, default: []]
    return reasons.isEmpty ? "" : ", waits for \(reasons.joined(separator: " and "))"
  }
}
