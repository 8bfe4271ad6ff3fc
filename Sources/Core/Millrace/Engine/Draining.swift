/// The envelopes that were taken from the mailbox. Guarded by the turn lock.
struct Inbox {
  fileprivate(set) var envelopes: ContiguousArray<Envelope> = []
  /// The number of envelopes that have had their turn, including the current one.
  fileprivate(set) var next = 0

  /// The number of envelopes that have not had their turn.
  var waitingCount: Int { envelopes.count - next }
  /// The envelope whose turn it is.
  var current: Envelope { envelopes[next - 1] }
}

/// Envelopes and actions that have had their turn. They are released when no lock is held. Used by one drain at a time.
final class Spent {
  fileprivate var envelopes: ContiguousArray<Envelope> = []
  /// A buffer that the typed engine has made.
  var actions: (any ReleasedActions)?

  fileprivate func release() {
    actions?.removeAll()
    var released: ContiguousArray<Envelope> = []
    swap(&released, &envelopes)
    released.removeAll(keepingCapacity: released.count <= 1024)
    swap(&released, &envelopes)
  }
}

/// A buffer of actions, independent of their type.
protocol ReleasedActions: AnyObject {
  func removeAll()
}

extension ActionBuffer: ReleasedActions {}

// MARK: - The draining thread

extension Engine {
  /// Begins the drain and the check that the schedule asks for. An immediate store drains here, on the caller's stack.
  func perform(_ step: DrainSchedule.Step) {
    if queue.isImmediate {
      // Inside a turn, a call further up this stack holds the lock and drains.
      if isInsideTurn { decided.hasSent = true } else { drain(until: nil, holdsClaim: false) }
      return
    }
    if let drain = step.drain {
      queue.async(isRescue: step.isRescue) { self.drain(drain, isRescue: step.isRescue) }
    }
    if step.looksLater { lookLater() }
  }

  private func lookLater() {
    queue.lookLater { self.perform(self.mail.withLock { $0.schedule.lookArrived() }) }
  }

  private func drain(_ number: UInt64, isRescue: Bool) {
    guard mail.withLock({ $0.schedule.drainArrived(number, isRescue: isRescue) }) else { return }
    drain(until: nil, holdsClaim: true)
  }

  /// Makes the turns of what `send` puts in the mailbox, and of everything before it, on the calling thread.
  func drainHere(_ send: () -> Void) {
    let holdsClaim = !queue.isImmediate && mail.withLock { $0.schedule.callerArrived() }
    send()
    drain(until: mail.withLock(\.tickets), holdsClaim: holdsClaim)
  }

  /// Hands the drain on: another thread makes the remaining turns.
  private func handOnDrain() { perform(mail.withLock { $0.schedule.drainHandedOn() }) }

  /// Begins a release of consumed values. If it takes long, another drain takes the claim.
  private func releaseBegan() -> UInt64 {
    let (release, looksLater) = mail.withLock { $0.schedule.releaseBegan() }
    if looksLater { lookLater() }
    return release
  }
}

// MARK: - The drain

extension Engine {
  /// The number of turns in one holding of the lock, if none of them decides anything and they are quick.
  private static var holdLimit: Int { 64 }
  /// The largest number of returned runs that one holding concludes.
  private static var mostReturns: Int { 64 }

  /// Makes turns on the current thread until nothing waits, or until the envelope with the ticket has had its turn.
  ///
  /// - Parameter holdsClaim: whether the `DrainSchedule` relies on this thread. While it does, no other drain begins.
  func drain(until ticket: UInt64?, holdsClaim: Bool) {
    var course = DrainCourse(holdsClaim: holdsClaim, isCaller: ticket != nil)
    repeat {
      var spent: Spent?
      var (holding, decided) = self.holding {
        makeTurns(until: ticket, holdsClaim: course.holdsClaim, &spent)
      }
      // An immediate store leaves nothing to other threads, not even what was sent as the last thing in the holding.
      if queue.isImmediate { holding = DrainCourse.Holding(isIdle: holding.isIdle && !decided.hasSent) }
      // The user's code that is called next may take long, so another thread may drain meanwhile.
      var release: UInt64?
      switch course.holdingEnded(holding, callsUser: decided.callsUser) {
      case .unchanged: break
      case .handedOn: handOnDrain()
      case .released: release = releaseBegan()
      }
      // The decisions are moved out, so that the values that they keep are released before the drain continues, and not
      // at the end of this scope.
      perform(decided.take())
      if let spent {
        spent.release()
        mail.withLock { if $0.spare == nil { $0.spare = spent } }
      }
      if let release { course.releaseEnded(continues: mail.withLock { $0.schedule.releaseEnded(release) }) }
    } while !course.isOver
  }

  private func makeTurns(
    until ticket: UInt64?, holdsClaim: Bool, _ spent: inout Spent?
  ) -> DrainCourse.Holding {
    var holding = DrainCourse.Holding()
    var turns = 0
    let start = Moment.now
    for _ in 0..<Self.mostReturns {
      guard let run = mail.withLock({ $0.takeReturn(upTo: turn.number) }) else { break }
      run.connected.conclude(run)
    }
    repeat {
      if inbox.waitingCount == 0, !takeMail(holdsClaim: holdsClaim, &spent, &holding) { break }
      makeTurn()
      turns += 1
      holding.isReached = ticket.map { turn.number >= $0 } ?? false
    } while turns < Self.holdLimit && decided.isEmpty && !holding.isReached
      && (turns & (turns - 1) != 0 || start.duration(to: .now) < .milliseconds(1))  // after 1, 2, 4, … turns
    if holding.isReached, inbox.waitingCount == 0 {
      _ = takeMail(holdsClaim: holdsClaim, &spent, &holding)
    }
    if holding.isIdle || areDisplaysOverdue(after: turns) { serveDisplays() }
    if inbox.waitingCount == 0 { spend(&spent) }
    return holding
  }

  /// Moves the consumed envelopes and actions out, unless this holding has already done so.
  private func spend(_ moved: inout Spent?) {
    if inbox.envelopes.isEmpty || moved != nil { return }
    let spent = mail.withLock { $0.spare.take() } ?? Spent()
    moved = spent
    swap(&inbox.envelopes, &spent.envelopes)
    inbox.next = 0
    moveActions(to: spent)
  }

  /// Takes the contents of the mailbox, and finds out whether nothing waits.
  ///
  /// - Returns: whether there were any. If there were none but something waits, the next holding continues: it
  ///   concludes runs that have returned, or consumed values must be released first with no lock held.
  private func takeMail(
    holdsClaim: Bool, _ spent: inout Spent?, _ holding: inout DrainCourse.Holding
  ) -> Bool {
    spend(&spent)
    if !inbox.envelopes.isEmpty { return false }
    return mail.withLock { mail in
      if !mail.envelopes.isEmpty {
        takeActions()
        swap(&inbox.envelopes, &mail.envelopes)
        return true
      }
      holding.isIdle = mail.returnCount == 0
      if holding.isIdle, holdsClaim { mail.schedule.drainEnded() }
      return false
    }
  }

  /// Makes the turn of the next envelope: admits or fences it, reduces it, and decides which runs begin and end.
  private func makeTurn() {
    inbox.next += 1
    turn.number += 1
    guard let details = inbox.envelopes[inbox.next - 1].details else {
      reduceNext()
      return actionWasReduced()
    }
    if let command = details.command {
      command()
      return changeTree()
    }
    // The admission: only here is it decided whether an envelope may change the state.
    let isAdmitted = details.isAdmitted
    if isAdmitted {
      turn.run = details.run
      details.run?.reduced += 1
      reduceNext()
      recordEchoes(of: details)
      actionWasReduced()
      turn.run = nil
    } else {
      fenceNext(details)
      turn.fenced += 1
      details.run?.fenced += 1
    }
    if let sender = details.sender { decided.resume(sender, isAdmitted ? .reduced : .fenced) }
  }

  private func fenceNext(_ details: Envelope.Details) {
    skipNext()
    guard due.events || details.run != nil, let action = currentAction else { return }
    let envelope = inbox.current
    emit { .turnedAway(action: action, fate: .fenced, cause: envelope.cause) }
    noticeLateSend(of: action, details, at: envelope.site)
  }

  /// After a turn of an action: updates whatever watches slices that have changed.
  func actionWasReduced() {
    due.displays = true
    guard let root = tree.root, root.watcherCount > 0 else { return }
    turn.isOfAction = true
    defer { turn.isOfAction = false }
    turn.evaluation = .selecting
    tree.isServing = true
    root.serveWatchers()
    tree.isServing = false
    turn.evaluation = .none
    changeTree()
  }

  /// Gives a reduced action to the taps of the scopes through which it was sent.
  func recordEchoes(of details: Envelope.Details?) {
    guard let echoes = details?.echoes, !echoes.isEmpty else { return }
    turn.evaluation = .selecting
    for echo in echoes { echo() }
    turn.evaluation = .none
  }
}
