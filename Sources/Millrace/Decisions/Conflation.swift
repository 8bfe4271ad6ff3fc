/// Decides what one display gets next: boxes come at any pace, at most one waits, and none comes twice in a row. Pure:
/// boxes are known by identity alone.
struct Conflation {
  /// The newest box, if it has not been taken.
  private(set) var next: AnyObject?
  /// The box that was taken last.
  private(set) var given: AnyObject?
  /// Whether it is in the line of those that wait.
  private(set) var isQueued = false
  /// Whether a box was taken and the update with it has not ended.
  private(set) var isBusy = false
  private(set) var isEnded = false

  /// Whether something is due or under way.
  var isActive: Bool { isBusy || isQueued }

  /// - Parameter replaced: gets what the new box replaces, which the caller releases when it holds no lock.
  /// - Returns: whether to put the display in line.
  mutating func arrived(_ box: AnyObject, replaced: inout [AnyObject]) -> Bool {
    if isEnded { return false }
    if let next { replaced.append(next) }
    next = box === given ? nil : box
    return putsInLine()
  }

  /// The display is first in the line.
  ///
  /// - Returns: the box to show and the one before; `nil` if there is nothing to do.
  mutating func taken() -> (box: AnyObject, last: AnyObject?)? {
    isQueued = false
    guard let box = next, !isEnded else { return nil }
    let last = given
    given = box
    next = nil
    isBusy = true
    return (box, last)
  }

  /// The update with the box that was taken has ended.
  ///
  /// - Returns: whether to put the display in line again.
  mutating func updateEnded() -> Bool {
    isBusy = false
    return putsInLine()
  }

  /// The connection has ended: nothing is taken any more.
  ///
  /// - Returns: what it held, for the caller to release when it holds no lock.
  mutating func connectionEnded() -> [AnyObject] {
    isEnded = true
    isQueued = false
    defer {
      next = nil
      given = nil
    }
    return [next, given].compactMap { $0 }
  }

  private mutating func putsInLine() -> Bool {
    guard next != nil, !isBusy, !isQueued, !isEnded else { return false }
    isQueued = true
    return true
  }
}
