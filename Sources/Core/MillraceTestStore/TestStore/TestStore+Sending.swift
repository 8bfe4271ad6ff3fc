import Millrace
import MillraceSpelling
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
  /// - Parameter changing: turns the state before the action into the one expected after it. Without it, the action
  ///   must not change the state. A closure that changes nothing fails the test.
  public func send(
    _ action: Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, changing: ((inout State) -> Void)? = nil
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let step = begin("send(\(Spelling.text(of: action)))", at: place)
    defer { end(step) }
    expectNone(of: session.book.withLock { $0.takeUnreceived() }, before: step)
    store.dispatch(action, fileID: fileID, line: line)
    let site = CallSite(fileID: fileID, line: line)
    guard let taken = session.book.withLock({ $0.take { $0.run == nil && $0.site == site } }) else {
      return fail("\(step.name) was refused: the store is shut down.", at: place)
    }
    expectNone(of: taken.before, before: step)  // a body sent these meanwhile
    expect(taken.state, after: changing, of: step)
    session.rehearsal?.stepEnded(in: session)
  }

  /// Fails if there are actions that were reduced and that the test has not received.
  func expectNone(of left: [TestBook<State, Action>.Reduced], before step: TestStep) {
    if left.isEmpty { return }
    let list = left.map { "  \(Spelling.text(of: $0.action))\($0.run.map { " from \($0.name)" } ?? "")" }
    fail("Not received before \(step.name):\n\n\(list.joined(separator: "\n"))", at: step.place)
  }

  /// Fails if the state after a step is not as expected.
  func expect(_ state: State, after change: ((inout State) -> Void)?, of step: TestStep) {
    // The test's closure may read the test store, so no lock is held.
    let (base, ignoring) = session.book.withLock { $0.expectation(for: state) }
    var expected = base
    change?(&expected)
    let isIdle = change != nil && expected == base && exhaustivity.contains(.state)
    for copy in ignoring { copy(&expected, state) }
    if expected != state {
      let difference = Difference(expected: expected, actual: state)
      fail("The state is not as expected after \(step.name):\n\n\(difference)", at: step.place)
    } else if isIdle {
      fail("The closure of \(step.name) changes nothing, and the step neither: leave it out.", at: step.place)
    }
  }
}
