/// How many components a server takes at once: as many as it updates in a moment. Pure.
///
/// The more it takes, the less often it needs the turn lock, for which it and the reducer queue hold each other up. But
/// all of them are given what is newest when they are taken: the last one gets it as late as it takes to update the
/// others.
struct ShareSize {
  private(set) var count = fewest

  /// So many even where each of them takes long. Other servers may take of them what has not begun.
  private static let fewest = 64
  private static let most = 1024
  /// For twice as many a share must have taken less than this, and for no fewer less than four times as long.
  private static let moment = Duration.microseconds(100)

  /// A share of `count` has been updated.
  mutating func shareEnded(count: Int, after duration: Duration) {
    if duration > Self.moment * 4 {
      self.count = Self.fewest
    } else if duration < Self.moment, count == self.count {
      self.count = min(self.count * 2, Self.most)
    }
  }
}
