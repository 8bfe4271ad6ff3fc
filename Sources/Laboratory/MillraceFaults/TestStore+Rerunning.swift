import MillraceTestStore

extension TestStore {
  /// Whether a ``FaultMatrix`` or ``CrashAnywhere`` is rerunning the test, with something going wrong. The test's
  /// assertions need not hold then.
  ///
  /// For assertions of XCTest, which also fail the test in reruns. Callable from any thread.
  public var isRerun: Bool { session.rehearsal?.isRerun ?? false }
}
