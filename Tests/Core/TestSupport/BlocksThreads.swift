import Millrace
import Testing

/// Of the tests and suites with this trait, one test at a time runs.
///
/// The pool of the tasks has a thread for each core and makes no others. Where two tests each hold some of them until a task
/// has run, neither that task nor any other runs again.
package struct BlocksThreads: TestTrait, SuiteTrait, TestScoping {
  private enum Turn {
    case free
    case taken(waiting: [CheckedContinuation<Void, Never>])
  }

  private static let turn = Lock(Turn.free)

  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Self.take()
    defer { Self.give() }
    try await function()
  }

  /// Records an issue where a task is about to block its thread while no test has its turn.
  static func expectTurn(_ sourceLocation: SourceLocation) {
    let isTask = withUnsafeCurrentTask { $0 != nil }
    guard isTask, case .free = turn.withLock({ $0 }) else { return }
    Issue.record(
      "this blocks a thread of the pool: its test needs the trait .blocksThreads",
      sourceLocation: sourceLocation)
  }

  private static func take() async {
    await withCheckedContinuation { continuation in
      let isFree = turn.withLock { turn in
        guard case .taken(let waiting) = turn else {
          turn = .taken(waiting: [])
          return true
        }
        turn = .taken(waiting: waiting + [continuation])
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  private static func give() {
    let next = turn.withLock { turn -> CheckedContinuation<Void, Never>? in
      guard case .taken(let waiting) = turn, let first = waiting.first else {
        turn = .free
        return nil
      }
      turn = .taken(waiting: Array(waiting.dropFirst()))
      return first
    }
    next?.resume()
  }
}

extension Trait where Self == BlocksThreads {
  /// Of the tests with this trait, one at a time runs.
  package static var blocksThreads: Self { Self() }
}
