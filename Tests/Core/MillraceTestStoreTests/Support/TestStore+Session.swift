import MillraceCoverage
import MillraceTesting

@testable import MillraceTestStore

extension TestStore {
  /// What this test has seen of the effects' requests.
  var coverage: RequestCoverage { session.coverage.withLock { $0 } }

  /// Measures waits by another clock.
  func measuresWaits(by clock: any Clock<Duration>) { session.patience.withLock { $0.clock = clock } }

  /// Has a wait last for so many turns of other tasks, and for no time.
  func countsTurns(_ turns: Int) { measuresWaits(by: PatientClock(ImmediateClock(), turns: turns)) }
}
