import MillraceTesting

extension TestStore {
  /// Moves a test clock on from one deadline to the next, and waits at each until everything has settled.
  ///
  /// ```swift
  /// await store.advance(clock, by: .seconds(5))
  /// await store.receive(.ticked) { $0.count = 1 }
  /// ```
  ///
  /// Settles first, so that a body begun by the step before is asleep before time moves. For bodies that execute: a
  /// request that the test answers sleeps on no clock. Callable from any thread, like the other steps.
  ///
  /// - Parameters:
  ///   - clock: the clock on which the bodies sleep.
  ///   - duration: the time to advance by; not negative.
  public func advance(
    _ clock: TestClock, by duration: Duration, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let step = begin("advance(by: \(duration))", at: place)
    defer { end(step) }
    await clock.advance(by: duration) { _ = await settle(during: step) }
  }
}
