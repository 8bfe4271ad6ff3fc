/// A run that is ready to begin, and waits for the stopped body on whose thread it is to.
struct KeptStart {
  let start: Outcome.Start
  /// The connection of that body.
  let place: Place
  let since = Moment.now
}

extension Engine {
  /// Runs that a thread of the reducer queue begins in a row before others get it.
  private static let openingLimit = 256
  /// How often it is looked whether a run is kept waiting.
  private static let watchInterval = Duration.milliseconds(10)

  /// Begins a run on the current thread, one of the reducer queue, and those that come of it.
  func open(_ start: Outcome.Start) {
    var openings = 1
    Opening.perform(start)
    while let next = takeKept() {
      // Others get the thread, too: a chain of runs may be without end.
      if openings == Self.openingLimit { return next.begin() }
      openings += 1
      Opening.perform(next)
    }
  }

  /// Sends what a run sends in its opening, and makes the turns up to and including that of it: the current thread is
  /// one of the reducer queue and has claimed the draining.
  func drain(inOpeningOf run: Run, _ send: (Fate) -> Void) -> Delivery {
    let fate = Fate()
    send(fate)
    let ticket = mail.withLock(\.tickets)
    while true {
      var isToBeWatched = false
      let holding = makeTurns(until: ticket, isScheduled: true) { isToBeWatched = keep($0, after: run) }
      if isToBeWatched { watch() }
      holding.decided?.perform()
      if holding.isIdle { break }
      if holding.isReached {
        drainElsewhere()
        break
      }
    }
    return fate.delivery
  }

  /// Keeps a run that was decided for this thread, which begins it after the body that it executes.
  ///
  /// Only behind a body that was stopped: whatever that still does is in vain, so it is likely to end soon.
  ///
  /// - Returns: whether it is to be watched by the caller, since nobody does yet.
  private func keep(_ outcome: Outcome, after run: Run) -> Bool {
    guard !run.isLive, tables.kept == nil, run.place.patience.isGranted(), let start = outcome.takeLastStart()
    else { return false }
    tables.kept = KeptStart(start: start, place: run.place)
    defer { tables.isWatched = true }
    return !tables.isWatched
  }

  private func takeKept() -> Outcome.Start? {
    locked { _ in
      guard let kept = tables.kept else { return nil }
      tables.kept = nil
      if kept.since.duration(to: .now) > Patience.limit { kept.place.patience.wasTried() }
      return kept.start
    }
  }

  /// Looks after a while whether a run is kept by a body that does not end, and has it begin elsewhere then.
  private func watch() {
    queue.async(after: Self.watchInterval) { [weak self] in self?.look() }
  }

  private func look() {
    var late: Outcome.Start?
    let isToBeWatched = locked { _ in
      guard let kept = tables.kept else {
        tables.isWatched = false
        return false
      }
      if kept.since.duration(to: .now) < Patience.limit { return true }
      tables.isWatched = false
      tables.kept = nil
      kept.place.patience.wasTried()
      late = kept.start
      return false
    }
    late?.begin()
    if isToBeWatched { watch() }
  }
}
