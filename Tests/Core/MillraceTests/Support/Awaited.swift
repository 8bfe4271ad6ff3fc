import TestSupport
import Testing

@testable import Millrace

extension Store {
  /// How many tasks wait until the store has settled, or until something of it has finished.
  var waiterCount: Int { engine.locked { engine.awaiters.count } }

  /// Returns when so many tasks wait: what they wait for was looked at, and is not there. Returns also when `isOver` holds,
  /// for a wait that may have ended too early.
  func isAwaited(
    by count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, unless isOver: () -> Bool = { false }
  ) async throws {
    try await eventually(sourceLocation: sourceLocation) { waiterCount >= count || isOver() }
  }
}
