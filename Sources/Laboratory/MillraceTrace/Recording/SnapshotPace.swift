/// Decides when a snapshot of the state is due: after 64 actions, and not before these are as large as the state, so that a
/// large state makes a recording at most twice as large. With 1, a snapshot is taken with each action. Pure.
struct SnapshotPace {
  private let every: Int
  private var actions = 0
  private var isDemanded = false
  /// The size of the last snapshot that was written, and by how much the state has grown for an action since the one
  /// before; `nil` until one is written.
  private var written: (sequence: UInt64, bytes: Int, growth: Int)?
  private var bytesOfAction = 1

  init(every: Int) { self.every = every }

  /// Whether an action was reduced since the last snapshot was taken.
  var isBehind: Bool { actions > 0 }

  /// The estimated size of the state after an action, in bytes. The estimate assumes that the state grows as fast as it has
  /// grown between the last two snapshots.
  func bytes(after sequence: UInt64) -> Int {
    guard let written else { return 4096 }
    return written.bytes + written.growth * Int(clamping: sequence - min(sequence, written.sequence))
  }

  /// An action was reduced.
  ///
  /// - Parameter room: how many bytes a snapshot may have.
  /// - Returns: whether a snapshot is taken with it.
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

  /// A snapshot of so many bytes was written, in which an action has so many.
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

  /// A snapshot must be taken with the next action.
  mutating func demand() { isDemanded = true }
}
