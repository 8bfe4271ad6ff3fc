import Millrace
import MillraceTesting

extension TestStore {
  /// Sends an action, and asserts how it changes the state.
  ///
  /// ```swift
  /// store.send(.incremented) { $0.count = 1 }
  /// ```
  ///
  /// When this returns, the action is reduced and the requests that the new state asks for are in progress.
  ///
  /// - Parameter changing: turns the state before the action into the state that is expected after it. Without it the
  ///   action changes nothing.
  public func send(
    _ action: Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: (inout State) -> Void = { _ in }
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    expectNothingUnasserted(before: "send(\(Spelling.text(of: action)))", at: place)
    store.dispatch(action)
    guard let (reduced, before) = session.book.withLock({ $0.takeSent() }) else {
      return fail("send(\(Spelling.text(of: action))) was refused: the store is shut down.", at: place)
    }
    // A body was at work meanwhile.
    expectNone(of: before, before: "send(\(Spelling.text(of: action)))", at: place)
    expect(reduced.state, after: changing, of: "send(\(Spelling.text(of: action)))", at: place)
    session.stepEnded()
  }

  /// Fails if actions of runs were reduced that the test has not received.
  func expectNothingUnasserted(before step: String, at place: TestPlace) {
    let left = session.book.withLock { book in
      let left = book.takeActions()
      book.skip(left)
      return left
    }
    expectNone(of: left, before: step, at: place)
  }

  private func expectNone(
    of left: [TestBook<State, Action>.Reduced], before step: String, at place: TestPlace
  ) {
    guard exhaustivity.contains(.actions), !left.isEmpty else { return }
    let list = left.map { "  \(Spelling.text(of: $0.action))\($0.run.map { " from \($0.name)" } ?? "")" }
    fail("Not received before \(step):\n\n\(list.joined(separator: "\n"))", at: place)
  }

  /// Fails if the state after a step is not as expected.
  func expect(
    _ state: State, after change: (inout State) -> Void, of step: String, at place: TestPlace
  ) {
    // The test's closure may ask the test store itself, so no lock is held.
    let (base, ignoring) = session.book.withLock { $0.expectation(for: state) }
    var expected = base
    change(&expected)
    for copy in ignoring { copy(&expected, state) }
    if expected == state { return }
    let difference = Difference(expected: expected, actual: state)
    fail("The state is not as expected after \(step):\n\n\(difference)", at: place)
  }
}
