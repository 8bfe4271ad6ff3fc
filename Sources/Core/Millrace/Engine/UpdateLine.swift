/// The components and views that have new values, in line for their updates. Guarded by its lock, with the conflation of
/// every display and `Account.updates`.
///
/// To take a display from its line is to commit its update: what ends before that gets none.
struct UpdateLine {
  /// The displays that wait on one lane.
  private struct Lane {
    var displays = Fifo<Display>()
    /// Counts the displays that were taken.
    var advances: UInt64 = 0
    /// Whether a server of components is on its way, or a job of the main actor is or shows views.
    var isSummoned = false

    mutating func summons() -> Bool {
      if displays.isEmpty || isSummoned { return false }
      isSummoned = true
      return true
    }
  }

  /// The wakings and tasks that new values require.
  struct Arrived {
    /// Wake consumers of sequences.
    var wakes: [@Sendable () -> Void] = []
    var summonsServer = false
    var summonsJob = false
  }

  /// An update that was committed.
  struct Commit {
    let display: Display
    let box: AnyObject
    /// The box before it.
    let last: AnyObject?
    let isObserved: Bool
  }

  /// The next update of a lane, with the results of the end of the update before.
  struct Next {
    let commit: Commit?
    /// Whether the end of the update before may satisfy a waiter, or is the last work of an ended connection.
    let isEndAwaited: Bool
    /// How far the lane is, if one more server or another job is needed.
    let summoned: UInt64?
  }

  private var components = Lane()
  private var views = Lane()
  /// Whether the engine gets the end of every update.
  var tellsOfAll = false
  var isObserved = false

  var viewCount: Int { views.displays.count }

  private mutating func with<Result>(_ lane: Display.Lane, _ body: (inout Lane) -> Result) -> Result {
    lane == .main ? body(&views) : body(&components)
  }

  /// Slices have these new values.
  mutating func arrived(_ batch: DisplayBatch, _ released: ReleasedValues) -> Arrived {
    var arrived = Arrived()
    for slice in batch.slices {
      for display in slice.displays {
        if display.lane == .consumer {
          if let wake = display.record(slice.box, released) { arrived.wakes.append(wake) }
        } else if display.arrived(slice.box, released) {
          with(display.lane) { $0.displays.append(display) }
        }
      }
    }
    arrived.summonsServer = components.summons()
    arrived.summonsJob = views.summons()
    return arrived
  }

  /// Whether a server is needed that saw the others advance so far; `nil` if they have advanced further.
  mutating func serverArrived(_ seen: inout UInt64?) -> Bool? {
    if components.displays.isEmpty || components.advances == seen ?? components.advances {
      components.isSummoned = false
      return !components.displays.isEmpty
    }
    seen = components.advances
    return nil
  }

  /// Ends one update and commits the next.
  ///
  /// - Parameter isLast: whether nothing more is taken now.
  mutating func next(_ lane: Display.Lane, after updated: Display?, isLast: Bool) -> Next {
    let isEndAwaited = updated.map { updateEnded($0) } ?? false
    let commit = isLast ? nil : take(lane)
    if commit == nil, lane == .main { views.isSummoned = false }
    let summoned = with(lane) { $0.summons() ? $0.advances : nil }
    return Next(commit: commit, isEndAwaited: isEndAwaited, summoned: summoned)
  }

  /// Takes the next display that is to be updated.
  private mutating func take(_ lane: Display.Lane) -> Commit? {
    while let display = with(lane, { $0.displays.takeFirst() }) {
      guard let commit = commit(display) else { continue }
      with(lane) { $0.advances += 1 }
      return commit
    }
    return nil
  }

  /// Begins the update of a display that was taken from its line; `nil` if there is nothing to do any more.
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

  /// - Returns: whether the engine is to be told, since somebody may wait for the end of this update.
  private mutating func updateEnded(_ display: Display) -> Bool {
    if display.decide({ $0.updateEnded() }) { with(display.lane) { $0.displays.append(display) } }
    return display.conflation.isEnded || display.hasLast || display.isAwaited || tellsOfAll
      || display.account.any { $0.isAwaited && $0.updates.counted <= 1 }
  }
}

/// The decisions of a display's conflation. The lock of the displays must be held.
extension Display {
  /// Counts the work that begins or ends by a decision, in its account.
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

  /// - Returns: whether to put it in line.
  fileprivate func arrived(_ box: AnyObject, _ released: ReleasedValues) -> Bool {
    if conflation.isEnded || hasLast { return false }
    if let next = next.take() { released.append(next) }
    let isGiven = box === given
    next = isGiven ? nil : box
    return decide { $0.arrived(isGiven: isGiven) }
  }

  /// From here on no update of it is committed.
  func end() {
    decide { $0.connectionEnded() }
    count()
  }

  /// From here on it gets no newer value, and `settled()` waits for its updates, also if it is long-running.
  func count() {
    if conflation.isActive, !isCounted { account.upwards { $0.updates.counted += 1 } }
    hasLast = true
  }

  /// Moves out what it holds, to be released when no lock is held.
  func takeValues() -> [AnyObject] {
    defer { (next, given) = (nil, nil) }
    return [next, given].compactMap(\.self)
  }
}
