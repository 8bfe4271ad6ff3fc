import MillraceTestStore

extension TestStore {
  /// Whether a ``FaultMatrix`` or ``CrashAnywhere`` runs the test again with something going wrong, so that what the test
  /// asserts need not hold.
  ///
  /// For assertions of XCTest, which fail the test in reruns, too. Callable from any thread.
  public var isRerun: Bool { session.rehearsal?.isRerun ?? false }
}
