/// Decides when a display is updated next. Values arrive at any pace; at most one waits, and no value is given twice in
/// a row. Pure: the display keeps the values.
struct Conflation: Hashable {
  private var isInLine = false
  /// Whether a value waits. The newest value does not wait if it equals the one that was taken last.
  private var hasNext = false
  /// Whether a value was taken, and the update with it has not ended. The display is not in line then.
  private(set) var isBusy = false
  private var isEnded = false

  /// Whether an update is due or in progress.
  var isActive: Bool { isInLine || isBusy }

  /// A value has arrived. It replaces a waiting one.
  ///
  /// - Parameter isGiven: whether it equals the value that was taken last, so that there is nothing to show.
  /// - Returns: whether to put the display in line.
  mutating func arrived(isGiven: Bool) -> Bool {
    hasNext = !isGiven && !isEnded
    return linesUp()
  }

  /// The display has become the first in the line.
  ///
  /// - Returns: whether to take the waiting value and begin an update with it.
  mutating func taken() -> Bool {
    guard isInLine else { return false }
    (isInLine, isBusy, hasNext) = (false, hasNext, false)
    return isBusy
  }

  /// The update has ended.
  ///
  /// - Returns: whether to put the display in line again.
  mutating func updateEnded() -> Bool {
    isBusy = false
    return linesUp()
  }

  /// The connection has ended: no further value is taken.
  mutating func connectionEnded() { (isInLine, hasNext, isEnded) = (false, false, true) }

  private mutating func linesUp() -> Bool {
    guard hasNext, !isActive else { return false }
    isInLine = true
    return true
  }
}
