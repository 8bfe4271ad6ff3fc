/// Decides when a display is updated next: values arrive at any pace, at most one waits, and none comes twice in a row.
/// Pure: the values themselves are kept by the display.
struct Conflation: Hashable {
  /// Whether a value waits that has not been taken.
  private(set) var hasNext = false
  /// Whether the display is in the line of those that wait.
  private(set) var isQueued = false
  /// Whether a value was taken and the update with it has not ended.
  private(set) var isBusy = false
  private(set) var isEnded = false

  /// Whether something is due or under way.
  var isActive: Bool { isBusy || isQueued }

  /// A value has arrived, which takes the place of one that waits.
  ///
  /// - Parameter isGiven: whether it is the one that was taken last, so that there is nothing to show.
  /// - Returns: whether to put the display in line.
  mutating func arrived(isGiven: Bool) -> Bool {
    hasNext = !isGiven
    return putsInLine()
  }

  /// The display is first in the line.
  ///
  /// - Returns: whether to take the value that waits and begin an update with it.
  mutating func taken() -> Bool {
    isQueued = false
    guard hasNext, !isEnded else { return false }
    hasNext = false
    isBusy = true
    return true
  }

  /// The update has ended.
  ///
  /// - Returns: whether to put the display in line again.
  mutating func updateEnded() -> Bool {
    isBusy = false
    return putsInLine()
  }

  /// The connection has ended: nothing is taken any more.
  mutating func connectionEnded() {
    isEnded = true
    isQueued = false
    hasNext = false
  }

  private mutating func putsInLine() -> Bool {
    guard hasNext, !isBusy, !isQueued, !isEnded else { return false }
    isQueued = true
    return true
  }
}
