/// Decides when a display is updated next: values arrive at any pace, at most one waits, and none comes twice in a row.
/// Pure: the values themselves are kept by the display.
enum Conflation: Hashable {
  /// Nothing is due.
  case idle
  /// The display is in line. There is no next value if the last one that arrived is the one that it was given last.
  case pending(hasNext: Bool)
  /// A value was taken, and the update with it has not ended.
  case inProgress
  /// An update has not ended, and a newer value waits for its end.
  case inProgressAndPending
  case ended(isInProgress: Bool)

  init() { self = .idle }

  /// Whether an update has not ended.
  var isBusy: Bool {
    switch self {
    case .inProgress, .inProgressAndPending, .ended(isInProgress: true): true
    case .idle, .pending, .ended: false
    }
  }

  /// Whether something is due or under way.
  var isActive: Bool { if case .pending = self { true } else { isBusy } }

  var isEnded: Bool { if case .ended = self { true } else { false } }

  /// A value has arrived, which takes the place of one that waits.
  ///
  /// - Parameter isGiven: whether it is the one that was taken last, so that there is nothing to show.
  /// - Returns: whether to put the display in line.
  mutating func arrived(isGiven: Bool) -> Bool {
    switch self {
    case .idle where !isGiven:
      self = .pending(hasNext: true)
      return true
    case .pending: self = .pending(hasNext: !isGiven)
    case .inProgress, .inProgressAndPending: self = isGiven ? .inProgress : .inProgressAndPending
    case .idle, .ended: break
    }
    return false
  }

  /// The display is first in the line.
  ///
  /// - Returns: whether to take the value that waits and begin an update with it.
  mutating func taken() -> Bool {
    guard case .pending(let hasNext) = self else { return false }
    self = hasNext ? .inProgress : .idle
    return hasNext
  }

  /// The update has ended.
  ///
  /// - Returns: whether to put the display in line again.
  mutating func updateEnded() -> Bool {
    switch self {
    case .inProgressAndPending:
      self = .pending(hasNext: true)
      return true
    case .inProgress: self = .idle
    case .ended: self = .ended(isInProgress: false)
    case .idle, .pending: break
    }
    return false
  }

  /// The connection has ended: nothing is taken any more.
  mutating func connectionEnded() { self = .ended(isInProgress: isBusy) }
}
