/// Replaced values of slices, and nodes that were removed from the tree. They are kept until no lock is held, since
/// their `deinit` may call anything.
///
/// All nodes of a store share one object. Used with the turn lock held.
final class ReleasedValues {
  private var values: [AnyObject] = []
  /// The number of values when they were last taken. The next number is usually the same.
  private var usualCount = 0

  // The values are moved out for each change, as in `Node`.

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
