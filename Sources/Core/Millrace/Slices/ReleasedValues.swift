/// Values of slices that newer ones have replaced, and nodes that have left the tree, kept until no lock is held: their
/// `deinit` may call anything.
///
/// An object that all nodes of a store share. Used with the turn lock held.
final class ReleasedValues {
  private var values: [AnyObject] = []
  /// The number of values when they were last taken, which is mostly that of the next time.
  private var usualCount = 0

  var isEmpty: Bool { values.isEmpty }

  // Moved out while they are changed, everywhere, as in `Node`.

  func append(_ value: AnyObject) {
    var moved = values
    values = []
    if moved.isEmpty { moved.reserveCapacity(min(usualCount, 1024)) }
    moved.append(value)
    values = moved
  }

  /// Moves the values out, for the caller to release.
  func take() -> [AnyObject] {
    if values.isEmpty { return [] }
    let taken = values
    values = []
    usualCount = taken.count
    return taken
  }
}
