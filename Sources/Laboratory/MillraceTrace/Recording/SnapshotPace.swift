/// Decides when a snapshot of the state is due: after 64 actions, and not before these are as large as the last snapshot,
/// so that a large state makes a recording at most twice as large. With 1, a snapshot is taken with each action.
struct SnapshotPace {
  let every: Int
  private var actions = 0
  /// Whether a snapshot is being written, or must be taken at once.
  private var isUnderWay = true
  private var isDemanded = false
  private var least = 0

  init(every: Int) { self.every = every }

  /// Whether an action was reduced since the last snapshot was taken.
  var isBehind: Bool { actions > 0 }

  /// An action was reduced.
  ///
  /// - Returns: whether a snapshot is taken with it.
  mutating func actionReduced() -> Bool {
    actions += 1
    guard isDemanded || every == 1 || !isUnderWay && actions >= max(every, least) else { return false }
    (isUnderWay, isDemanded, actions) = (true, false, 0)
    return true
  }

  /// A snapshot of so many bytes was written, in which an action has so many.
  mutating func snapshotWritten(bytes: Int, bytesOfAction: Int) {
    isUnderWay = false
    least = bytes / max(bytesOfAction, 1)
  }

  /// A snapshot was taken at another moment.
  mutating func snapshotTaken() { (isUnderWay, isDemanded, actions) = (true, false, 0) }

  /// A snapshot must be taken with the next action.
  mutating func demand() { isDemanded = true }
}
