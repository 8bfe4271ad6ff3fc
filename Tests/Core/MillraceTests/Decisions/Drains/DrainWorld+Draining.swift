@testable import Millrace

/// The steps of one drain, as `StateEngine.drain` makes them.
extension DrainWorld {
  mutating func move(_ before: DrainingThread) -> Party {
    var thread = before
    switch thread.step {
    case .locks:
      thread.drain.end = nil
      isTurnLocked = true
      (thread.decided, thread.hasMovedOut) = (DrainingThread.Decided(), false)
      concludeReturns()
      thread.step = consumed == inbox.count ? .takes : .turns
    case .takes:
      thread.step = takeMail(&thread) ? .turns : .serves
    case .turns: return makeTurn(thread, isLast: false)
    case .takesLast:
      _ = takeMail(&thread)
      thread.step = .serves
    case .serves:
      if thread.drain.end == .idle { serveComponent(&thread) }
      thread.step = .unlocks
    case .unlocks:
      lookForWaiter()
      isTurnLocked = false
      if thread.continues {
        thread.step = .tells
      } else {
        perform(thread)
        return next(thread)
      }
    case .tells:
      let step = schedule.holdingEnded(&thread.drain, callsUser: thread.decided.callsUser)
      if let claim = thread.drain.claim { newest = claim }
      perform(step)
      perform(thread)
      thread.step = .performs
    case .performs:
      schedule.resumed(&thread.drain)
      return next(thread)
    }
    return .drains(thread)
  }

  /// Concludes the run, if it has returned and everything that it sent has had its turn.
  mutating func concludeReturns() {
    let count = returns.count
    returns.removeAll { $0 <= turnsMade }
    if returns.count < count { run = .returned }
  }

  private mutating func perform(_ thread: DrainingThread) {
    if thread.decided.startsRun { parties.append(.enters) }
    if thread.decided.resumesRun { isAnswered = true }
    if thread.decided.beginsServer { parties.append(.serves) }
  }

  private func next(_ thread: DrainingThread) -> Party {
    if thread.drain.isOver { return .gone }
    var thread = thread
    thread.step = .locks
    return .drains(thread)
  }

  /// Makes the turn of the next letter.
  ///
  /// - Parameter isLast: whether the lock has been held for long enough.
  mutating func makeTurn(_ before: DrainingThread, isLast: Bool) -> Party {
    var thread = before
    let letter = inbox[consumed]
    consumed += 1
    turnsMade += 1
    isDisplayDue = component != nil
    switch letter {
    case .plain: break
    case .ask where run == .none:
      run = .live
      thread.decided.startsRun = true
    case .drop where run == .live:
      run = .stopped
      thread.decided.callsUser = true
    case .answer: thread.decided.resumesRun = true
    case .ask, .drop: break
    }
    if let ticket = thread.ticket, turnsMade >= ticket { thread.drain.end = .reached }
    let continues = !isLast && thread.decided.isEmpty && thread.drain.end == nil
    if consumed == inbox.count {
      thread.step = continues ? .takes : .takesLast
    } else {
      thread.step = continues ? .turns : .serves
    }
    return .drains(thread)
  }

  /// - Returns: whether there was anything.
  private mutating func takeMail(_ thread: inout DrainingThread) -> Bool {
    if thread.hasMovedOut, !inbox.isEmpty { return false }
    if !inbox.isEmpty {
      (inbox, consumed) = ([], 0)
      thread.hasMovedOut = true
    }
    if !mail.isEmpty {
      swap(&inbox, &mail)
      return true
    }
    if returns.isEmpty {
      thread.drain.end = .idle
      if thread.drain.claim != nil { schedule.drainEnded() }
    }
    return false
  }

  private mutating func serveComponent(_ thread: inout DrainingThread) {
    guard isDisplayDue else { return }
    isDisplayDue = false
    guard var conflation = component else { return }
    if conflation.arrived(isGiven: false) { isInLine = true }
    component = conflation
    if !isInLine || isServerOnItsWay { return }
    isServerOnItsWay = true
    thread.decided.beginsServer = true
  }
}
