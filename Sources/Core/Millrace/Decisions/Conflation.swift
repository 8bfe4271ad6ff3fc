/// Decides when a display is updated next. Values arrive at any pace; at most one waits, and no value is given twice in
/// a row. Pure: the display keeps the values.
enum Conflation: Hashable {
  /// Nothing is due.
  case idle
  /// The display is in line. It has no next value if the newest value equals the one that it got last.
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

  /// Whether an update is due or in progress.
  var isActive: Bool { if case .pending = self { true } else { isBusy } }

  var isEnded: Bool { if case .ended = self { true } else { false } }

  /// A value has arrived. It replaces a waiting one.
  ///
  /// - Parameter isGiven: whether it equals the value that was taken last, so that there is nothing to show.
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

  /// The display has become the first in the line.
  ///
  /// - Returns: whether to take the waiting value and begin an update with it.
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

  /// The connection has ended: no further value is taken.
  mutating func connectionEnded() { self = .ended(isInProgress: isBusy) }
}
