/// The components and views that have new values, in line for their updates. Guarded by a lock of its own, as are the
/// conflation of every display and `Account.updates`.
///
/// Taking a display from its line commits its update. A display that ends before that gets no update.
struct UpdateLine {
  /// The displays that wait on one lane.
  struct Lane {
    fileprivate(set) var displays = Fifo<Display>()
    /// Counts the displays that were taken.
    fileprivate(set) var advances: UInt64 = 0
    /// Whether a server of components is about to arrive, or a job of the main actor is about to begin or shows views.
    fileprivate var isSummoned = false

    /// - Returns: whether to begin a server or a job.
    mutating func summons() -> Bool {
      if displays.isEmpty || isSummoned { return false }
      isSummoned = true
      return true
    }
  }

  struct Commit {
    let display: Display
    let box: AnyObject
    /// The box before it.
    let last: AnyObject?
    let isObserved: Bool
  }

  var components = Lane()
  var views = Lane()
  var isObserved = false

  private mutating func with<Result>(_ lane: Display.Lane, _ body: (inout Lane) -> Result) -> Result {
    lane == .main ? body(&views) : body(&components)
  }

  /// Puts a component or a view in line for the value in a box.
  mutating func arrived(_ display: Display, _ box: AnyObject, _ released: ReleasedValues) {
    if display.arrived(box, released) { with(display.lane) { $0.displays.append(display) } }
  }

  /// Whether a server that has arrived waits, since the others have taken displays since its last look. Otherwise it is
  /// summoned no longer.
  ///
  /// - Parameter seen: the number of displays taken at its last look.
  mutating func serverWaits(_ seen: inout UInt64?) -> Bool {
    components.isSummoned = !components.displays.isEmpty && components.advances != seen ?? components.advances
    seen = components.advances
    return components.isSummoned
  }

  /// Ends one update and commits the next.
  ///
  /// - Parameter isLast: whether to commit no further update.
  /// - Returns: the next update; whether the end of the previous one may satisfy a waiter, or is the last work of an
  ///   ended connection; and the number of displays taken from the lane, if another server or job is needed.
  mutating func next(
    _ lane: Display.Lane, after updated: Display?, isLast: Bool
  ) -> (commit: Commit?, isEndAwaited: Bool, summoned: UInt64?) {
    let isEndAwaited = updated.map { updateEnded($0) } ?? false
    let commit = isLast ? nil : take(lane)
    if commit == nil, lane == .main { views.isSummoned = false }
    let summoned = with(lane) { $0.summons() ? $0.advances : nil }
    return (commit, isEndAwaited, summoned)
  }

  /// Takes the next display that must be updated.
  private mutating func take(_ lane: Display.Lane) -> Commit? {
    while let display = with(lane, { $0.displays.takeFirst() }) {
      guard let commit = commit(display) else { continue }
      with(lane) { $0.advances += 1 }
      return commit
    }
    return nil
  }

  /// Begins the update of a display that was taken from its line; `nil` if it no longer needs one.
  private func commit(_ display: Display) -> Commit? {
    if display.account.isOver {
      display.end()  // what it holds is taken out when it is torn down
      return nil
    }
    guard display.decide({ $0.taken() }), let box = display.next.take() else { return nil }
    let last = display.given.take()
    display.given = box
    display.updates += 1
    return Commit(display: display, box: box, last: last, isObserved: isObserved)
  }

  /// - Returns: whether to inform the engine, since a task may wait for the end of this update.
  private mutating func updateEnded(_ display: Display) -> Bool {
    if display.decide({ $0.updateEnded() }) { with(display.lane) { $0.displays.append(display) } }
    return display.hasLast || display.isAwaited
      || display.account.any { $0.isAwaited && $0.updates.counted <= 1 }
  }
}

/// Applies the decisions of a display's conflation. The lock of the displays must be held.
extension Display {
  /// Makes a decision, and counts the work that it begins or ends in the account.
  fileprivate func decide<Result>(_ decision: (inout Conflation) -> Result) -> Result {
    let wasActive = conflation.isActive
    let result = decision(&conflation)
    if conflation.isActive != wasActive {
      let step = wasActive ? -1 : 1
      let counted = isCounted ? step : 0
      account.upwards {
        $0.updates.all += step
        $0.updates.counted += counted
      }
    }
    return result
  }

  /// - Returns: whether to put the display in line.
  fileprivate func arrived(_ box: AnyObject, _ released: ReleasedValues) -> Bool {
    if hasLast { return false }
    if let next = next.take() { released.append(next) }
    let isGiven = box === given
    next = isGiven ? nil : box
    return decide { $0.arrived(isGiven: isGiven) }
  }

  /// Ends the display: none of its updates is committed from now on.
  func end() {
    decide { $0.connectionEnded() }
    count()
  }

  /// The display gets no newer value from now on. `settled()` waits for its updates, even if it is long-running.
  func count() {
    if conflation.isActive, !isCounted { account.upwards { $0.updates.counted += 1 } }
    hasLast = true
  }
}
