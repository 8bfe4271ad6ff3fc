import Millrace
import MillraceTesting

extension TestStore {
  // MARK: What bodies send

  /// Waits until nothing is at work: every body and every update has ended or waits for something that only the test
  /// brings about, such as a test clock, a gate or an answer.
  ///
  /// No length of time is involved. Whatever else a body waits for is awaited; debug builds print its name after a
  /// second.
  public func settle() async { await store.settled() }

  /// Receives the next action that a run has sent, once everything has settled, and asserts how it changed the state.
  ///
  /// ```swift
  /// await store.advance(clock, by: .seconds(5))
  /// await store.receive(.ticked) { $0.count = 1 }
  /// ```
  ///
  /// - Parameter changing: turns the state before the action into the one that is expected after it.
  public func receive(
    _ action: Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, changing: (inout State) -> Void = { _ in }
  ) async where Action: Equatable {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let step = "receive(\(Spelling.text(of: action)))"
    guard let reduced = await nextReceived(step, place, where: { $0 == action }) else { return }
    if reduced.action != action {
      fail(
        "Another action was received:\n\n\(Difference(expected: action, actual: reduced.action))", at: place)
    }
    expect(reduced.state, after: changing, of: step, at: place)
    session.stepEnded()
  }

  /// Receives the next action that a run has sent, if it satisfies a condition.
  public func receive(
    where isExpected: (Action) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, changing: (inout State) -> Void = { _ in }
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    guard let reduced = await nextReceived("receive(where:)", place, where: isExpected) else { return }
    let text = Spelling.text(of: reduced.action)
    if !isExpected(reduced.action) { fail("Another action was received: \(text)", at: place) }
    expect(reduced.state, after: changing, of: "receive(\(text))", at: place)
    session.stepEnded()
  }

  /// The oldest action that was not asserted; where not all have to be, the oldest one that is sought.
  private func nextReceived(
    _ step: String, _ place: TestPlace, where isSought: (Action) -> Bool
  ) async -> TestBook<State, Action>.Reduced? {
    await settle()
    let found = session.book.withLock { book in
      let isEach = book.exhaustivity.contains(.actions)
      return book.takeFirst { isEach || isSought($0.action) }
    }
    if found == nil { fail("Nothing was received by \(step).\(await waitingList())", at: place) }
    return found
  }

  /// What is in progress and where it waits, for a message.
  func waitingList() async -> String {
    let waiting = store.waitingPlaces()
    let running = session.book.withLock { $0.running }
    if running.isEmpty { return " Nothing is in progress." }
    let lines = running.map { run in
      let places = waiting[run.identity.generation, default: []]
      return "  \(run.text)\(places.isEmpty ? "" : ", waits for \(places.joined(separator: " and "))")"
    }
    return " In progress:\n\n\(lines.joined(separator: "\n"))"
  }
}
