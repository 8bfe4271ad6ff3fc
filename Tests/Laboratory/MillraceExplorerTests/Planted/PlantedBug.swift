import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// The failure of the features with planted bugs.
struct Offline: Error, Hashable {}

/// An effect that may fail. No explorer executes its body.
func fallible<Request, Action>(
  _ request: Request.Type, failed: @escaping @Sendable (Request) -> Action
) -> Effect<Request, Action, Offline> {
  Effect(failure: { (_: Offline, request) in failed(request) }, run: { _, _ throws(Offline) in })
}

/// An effect that cannot fail. No explorer executes its body.
func infallible<Request, Action>(
  _ request: Request.Type, sending _: Action.Type
) -> Effect<Request, Action, Never> { Effect { _, _ in } }

extension Explorer where State: Equatable {
  /// A test store of the explored feature, at its beginning or after a restart.
  func testStore(_ state: State? = nil) -> TestStore<State, Action> {
    TestStore(initialState: state ?? initialState, reduce: reduce, connect: connect)
  }

  /// Checks that the explorer finds the planted bug in so many moves, and nothing in the right feature; and that the test
  /// that it prints, where one is given, is in the file, fails by its expectation with the bug, and passes with the right
  /// feature.
  ///
  /// - Parameters:
  ///   - source: how the printed test makes its store.
  ///   - isInPolicy: whether the bug is in a policy, which a test that answers by hand does not see: its steps are then no
  ///     steps of the right feature.
  func check(
    _ isRight: Bool, moves: Int, using source: String = "explorer.testStore()", isInPolicy: Bool = false,
    in filePath: String = #filePath, isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ printed: (() async -> Void)? = nil
  ) async throws {
    let report = printingTests(using: source).explore(states: 100_000)
    if isRight {
      #expect(report.isClean, "\(report)", sourceLocation: sourceLocation)
    } else {
      let found = try #require(report.counterexamples.first, "\(report)", sourceLocation: sourceLocation)
      let isOne = report.counterexamples.count == 1
      #expect(isOne && found.steps.count == moves, "\(found)", sourceLocation: sourceLocation)
      let isWritten = try printed == nil || PrintedTest(found.test).isWritten(in: filePath)
      #expect(isWritten, "\(found.test)", sourceLocation: sourceLocation)
    }
    guard let printed else { return }
    await withKnownIssue(sourceLocation: sourceLocation) {
      await printed()
    } when: {
      !isRight || isInPolicy
    } matching: { issue in
      isRight || "\(issue)".contains("Expectation failed")
    }
  }
}
