/// Decides when a snapshot of the state is due. Pure.
///
/// A snapshot is due after `every` actions, by default 64, and only once these are as large as the state. So a large
/// state makes a recording at most twice as large. If `every` is 1, each action has a snapshot.
struct SnapshotPace {
  private let every: Int
  private var actions = 0
  private var isDemanded = false
  /// The size of the last snapshot, and the growth of the state per action since the snapshot before; `nil` before the
  /// first.
  private var written: (sequence: UInt64, bytes: Int, growth: Int)?
  private var bytesOfAction = 1

  init(every: Int) { self.every = every }

  /// Whether an action was reduced since the last snapshot.
  var isBehind: Bool { actions > 0 }

  /// The estimated size of the state after an action, in bytes. The estimate assumes that the state grows as fast as it
  /// has grown between the last two snapshots.
  func bytes(after sequence: UInt64) -> Int {
    guard let written else { return 4096 }
    return written.bytes + written.growth * Int(clamping: sequence - min(sequence, written.sequence))
  }

  /// An action was reduced.
  ///
  /// - Parameter room: the largest size of a snapshot in bytes.
  /// - Returns: whether to take a snapshot after this action.
  mutating func actionReduced(_ sequence: UInt64, room: Int) -> Bool {
    actions += 1
    if !isDemanded, every > 1 {
      if actions < every || written == nil { return false }
      let bytes = bytes(after: sequence)
      if actions < bytes / bytesOfAction || bytes > room { return false }
    }
    snapshotTaken()
    return true
  }

  /// A snapshot was written. Parameters are its size and the size of an action in it.
  mutating func snapshotWritten(_ sequence: UInt64, bytes: Int, bytesOfAction: Int) {
    var growth = 0
    if let written, sequence > written.sequence {
      growth = max(0, bytes - written.bytes) / Int(clamping: sequence - written.sequence)
    }
    written = (sequence, bytes, growth)
    self.bytesOfAction = max(bytesOfAction, 1)
  }

  /// A snapshot was taken.
  mutating func snapshotTaken() { (isDemanded, actions) = (false, 0) }

  /// Makes a snapshot due with the next action.
  mutating func demand() { isDemanded = true }
}
