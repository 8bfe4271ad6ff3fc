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
    guard let reduced = session.book.withLock({ $0.takeFirst { $0.run == nil } }) else {
      return fail("send(\(Spelling.text(of: action))) was refused: the store is shut down.", at: place)
    }
    expect(reduced.state, after: changing, of: "send(\(Spelling.text(of: action)))", at: place)
  }

  /// Fails if actions of runs were reduced that the test has not received.
  func expectNothingUnasserted(before step: String, at place: TestPlace) {
    let (left, isAsked) = session.book.withLock { book in
      let left = book.takeActions()
      book.skip(left)
      return (left, book.exhaustivity.contains(.actions))
    }
    guard isAsked, !left.isEmpty else { return }
    let list = left.map { "  \(Spelling.text(of: $0.action))\($0.run.map { " from \($0.name)" } ?? "")" }
    fail("Not received before \(step):\n\n\(list.joined(separator: "\n"))", at: place)
  }

  /// Fails if the state after a step is not as expected.
  func expect(
    _ state: State, after change: (inout State) -> Void, of step: String, at place: TestPlace
  ) {
    let difference = session.book.withLock { book in book.expect(state, after: change) }
    if let difference { fail("The state is not as expected after \(step):\n\n\(difference)", at: place) }
  }
}
