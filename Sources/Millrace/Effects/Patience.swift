/// Whether the next run of a connection may wait for a stopped body to end, judged by how long others have kept it
/// waiting. Pure.
///
/// A body that is slow to end once costs little: after each, the next runs do not wait, twice as many every time.
struct Patience: Equatable {
  private var strikes: UInt8 = 0
  /// How many do not wait before it is tried again.
  private var refusals: UInt16 = 0
  /// How many have waited since the last one that was kept for long.
  private var waits: UInt16 = 0

  /// For so long a stopped body may keep the next run waiting.
  static let limit = Duration.milliseconds(1)
  private static let mostStrikes: UInt8 = 12
  /// So many in a row that were not kept for long, and what was before is forgotten.
  private static let redemption: UInt16 = 64

  /// Asked for each run that could wait.
  mutating func isGranted() -> Bool {
    if refusals > 0 {
      refusals -= 1
      return false
    }
    if waits < .max { waits += 1 }
    return true
  }

  /// One was kept waiting for longer than the limit.
  mutating func wasTried() {
    strikes = waits > Self.redemption ? 1 : min(strikes + 1, Self.mostStrikes)
    refusals = 1 << UInt16(strikes)
    waits = 0
  }
}
