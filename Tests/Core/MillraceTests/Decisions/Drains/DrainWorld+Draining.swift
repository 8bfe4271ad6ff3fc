@testable import Millrace

/// The steps of one drain, as `StateEngine.drain` makes them.
extension DrainWorld {
  mutating func move(_ before: Drain) -> Party {
    var drain = before
    switch drain.step {
    case .locks:
      isTurnLocked = true
      (drain.holding, drain.decided, drain.hasMovedOut) = (DrainCourse.Holding(), Drain.Decided(), false)
      let count = returns.count
      returns.removeAll { $0 <= turnsMade }
      if returns.count < count { run = .returned }
      drain.step = consumed == inbox.count ? .takes : .turns
    case .takes:
      switch takeMail(&drain) {
      case .taken: drain.step = .turns
      case .empty:
        drain.holding.isIdle = true
        drain.step = .serves
      case .later: drain.step = .serves
      }
    case .turns: return makeTurn(drain, isLast: false)
    case .takesLast:
      drain.holding.isIdle = takeMail(&drain) == .empty
      drain.step = .serves
    case .serves:
      if drain.holding.isIdle { serveComponent(&drain) }
      if consumed == inbox.count { moveOut(&drain) }
      drain.step = .unlocks
    case .unlocks:
      lookForWaiter()
      isTurnLocked = false
      switch drain.course.holdingEnded(drain.holding, callsUser: drain.decided.callsUser) {
      case .unchanged:
        perform(drain)
        return next(drain)
      case .handedOn: drain.step = .handsOn
      case .released: drain.step = .releases
      }
    case .handsOn:
      perform(schedule.drainHandedOn())
      perform(drain)
      return next(drain)
    case .releases:
      let (number, looksLater) = schedule.releaseBegan()
      if looksLater { looks += 1 }
      (drain.release, newest) = (number, number)
      perform(drain)
      drain.step = .reclaims
    case .reclaims:
      if let release = drain.release.take() {
        drain.course.releaseEnded(continues: schedule.releaseEnded(release))
      }
      return next(drain)
    }
    return .drains(drain)
  }

  private mutating func perform(_ drain: Drain) {
    if drain.decided.startsRun { parties.append(.enters) }
    if drain.decided.resumesRun { isAnswered = true }
    if drain.decided.beginsServer { parties.append(.serves) }
  }

  private func next(_ drain: Drain) -> Party {
    if drain.course.isOver { return .gone }
    var drain = drain
    drain.step = .locks
    return .drains(drain)
  }

  /// Makes the turn of the next letter.
  ///
  /// - Parameter isLast: whether the lock has been held for long enough.
  mutating func makeTurn(_ before: Drain, isLast: Bool) -> Party {
    var drain = before
    let letter = inbox[consumed]
    consumed += 1
    turnsMade += 1
    isDisplayDue = component != nil
    switch letter {
    case .plain: break
    case .ask where run == .none:
      run = .live
      drain.decided.startsRun = true
    case .drop where run == .live:
      run = .stopped
      drain.decided.callsUser = true
    case .answer: drain.decided.resumesRun = true
    case .ask, .drop: break
    }
    drain.holding.isReached = drain.ticket.map { turnsMade >= $0 } ?? false
    if !isLast, drain.decided.isEmpty, !drain.holding.isReached {
      drain.step = consumed == inbox.count ? .takes : .turns
    } else {
      drain.step = drain.holding.isReached && consumed == inbox.count ? .takesLast : .serves
    }
    return .drains(drain)
  }

  private enum Taking { case taken, empty, later }

  private mutating func takeMail(_ drain: inout Drain) -> Taking {
    moveOut(&drain)
    if !inbox.isEmpty { return .later }
    if !mail.isEmpty {
      swap(&inbox, &mail)
      return .taken
    }
    if !returns.isEmpty { return .later }
    if drain.course.holdsClaim {
      schedule.drainEnded()
      drain.hasEnded = true
    }
    return .empty
  }

  /// Moves what was consumed out, once in a holding.
  private mutating func moveOut(_ drain: inout Drain) {
    if inbox.isEmpty || drain.hasMovedOut { return }
    (inbox, consumed) = ([], 0)
    drain.hasMovedOut = true
  }

  private mutating func serveComponent(_ drain: inout Drain) {
    guard isDisplayDue else { return }
    isDisplayDue = false
    guard var conflation = component else { return }
    if conflation.arrived(isGiven: false) { isInLine = true }
    component = conflation
    if !isInLine || isServerOnItsWay { return }
    isServerOnItsWay = true
    drain.decided.beginsServer = true
  }
}
