/// Envelopes that were taken from the mailbox together, with their actions. Once all have had their turn, it is moved
/// out whole, and released with no lock held.
struct Batch {
  fileprivate(set) var envelopes: ContiguousArray<Envelope> = []
  /// A buffer that the typed engine has made; `nil` if none was needed.
  var actions: AnyActionBuffer?
  /// The number of envelopes that have had their turn, including the current one.
  fileprivate(set) var next = 0
  /// The number of actions that have had their turn, including the current one.
  var nextAction = 0

  /// The number of envelopes that have not had their turn.
  var waitingCount: Int { envelopes.count - next }
  /// The envelope whose turn it is.
  var current: Envelope { envelopes[next - 1] }

  /// Releases what it contains. It can then be used again.
  fileprivate mutating func release() {
    actions?.removeAll()
    envelopes.removeAll(keepingCapacity: envelopes.count <= 1024)
    (next, nextAction) = (0, 0)
  }
}

// MARK: - The draining thread

extension Engine {
  /// Begins the drain and the check that the schedule asks for. An immediate store drains here, on the caller's stack.
  func perform(_ step: DrainSchedule.Step) {
    if queue.isImmediate {
      // Inside a turn, a call further up this stack holds the lock and drains.
      if isInsideTurn { decided.hasSent = true } else { drain(Drain()) }
      return
    }
    if let number = step.drain {
      mail.withLock { $0.drainsOnTheirWay += 1 }
      queue.async(isRescue: step.isRescue) {
        let drain = self.mail.withLock { mail in
          mail.drainsOnTheirWay -= 1
          return mail.schedule.drainArrived(number, isRescue: step.isRescue)
        }
        if let drain { self.drain(drain) }
      }
    }
    if step.looksLater { DrainWatch.add(self) }
  }

  func lookArrived() { perform(mail.withLock { $0.schedule.lookArrived() }) }

  /// Makes the turns of what `send` puts in the mailbox, and of everything before it, on the calling thread.
  func drainHere(_ send: () -> Void) {
    let drain = queue.isImmediate ? Drain() : mail.withLock { $0.schedule.callerArrived() }
    send()
    self.drain(drain, until: mail.withLock(\.tickets))
  }
}

// MARK: - The drain

extension Engine {
  /// The number of turns in one holding of the lock, if none of them decides anything and they are quick.
  private static var holdLimit: Int { 64 }
  /// The largest number of returned runs that one holding concludes.
  private static var mostReturns: Int { 64 }

  /// Makes turns on the current thread until nothing waits, or until the envelope with the ticket has had its turn.
  func drain(_ drain: Drain, until ticket: UInt64? = nil) {
    var drain = drain
    repeat {
      var (spent, decided) = holding { makeTurns(until: ticket, &drain) }
      // An immediate store leaves nothing to other threads, not even what was sent as the last thing in the holding.
      if queue.isImmediate, decided.hasSent || drain.end == .reached { drain.end = nil }
      // The user's code that is called next may take long, so another thread may drain meanwhile.
      let continues = drain.claim != nil && drain.end != .idle
      if continues {
        perform(mail.withLock { $0.schedule.holdingEnded(&drain, callsUser: decided.callsUser) })
      }
      // The decisions are moved out, so that the values that they keep are released before the drain continues, and not
      // at the end of this scope.
      perform(decided.take())
      spent?.release()
      if continues || spent != nil {
        mail.withLock {
          if $0.spare == nil { $0.spare = spent }
          if continues { $0.schedule.resumed(&drain) }
        }
      }
    } while !drain.isOver
  }

  /// - Returns: the batch that was consumed, to be released with no lock held.
  private func makeTurns(until ticket: UInt64?, _ drain: inout Drain) -> Batch? {
    drain.end = nil
    var spent: Batch?
    var turns = 0
    let start = Moment.now
    concludeReturns()
    var continues = true
    while inbox.waitingCount > 0 || takeMail(&spent, &drain), continues {
      makeTurn()
      turns += 1
      if let ticket, turn.number >= ticket { drain.end = .reached }
      // The time is looked at after 1, 2, 4, … turns.
      continues =
        turns < Self.holdLimit && decided.isEmpty && drain.end == nil
        && (turns & (turns - 1) != 0 || start.duration(to: .now) < .milliseconds(1))
    }
    if drain.end == .idle || areDisplaysOverdue(after: turns) { serveDisplays() }
    return spent
  }

  /// Concludes runs that have returned and whose last envelope has had its turn.
  func concludeReturns() {
    for _ in 0..<Self.mostReturns {
      let (run, isLast) = mail.withLock { ($0.takeReturn(upTo: turn.number), $0.returns.isEmpty) }
      if let run { run.connected.conclude(run) }
      if run == nil || isLast { return }
    }
  }

  /// Moves the consumed batch out, and takes the contents of the mailbox.
  ///
  /// - Returns: whether there were any. If there were none but something waits, the next holding continues: with
  ///   returned runs, or with envelopes once the consumed values are released with no lock held.
  private func takeMail(_ spent: inout Batch?, _ drain: inout Drain) -> Bool {
    if spent != nil, !inbox.envelopes.isEmpty { return false }
    return mail.withLock { mail in
      if !inbox.envelopes.isEmpty {
        spent = inbox
        inbox = mail.spare.take() ?? Batch()
      }
      if !mail.envelopes.isEmpty {
        takeActions()
        swap(&inbox.envelopes, &mail.envelopes)
        return true
      }
      if mail.returns.isEmpty {
        drain.end = .idle
        if drain.claim != nil { mail.schedule.drainEnded() }
      }
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
      command(details.phase)
      return changeTree()
    }
    // The admission: here alone is an envelope of the mailbox admitted or fenced.
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
    if let sender = details.sender { decide { $0.resume(sender, isAdmitted ? .reduced : .fenced) } }
  }

  private func fenceNext(_ details: Envelope.Details) {
    inbox.nextAction += 1
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

  /// Gives a reduced action to the taps of the store and of the scopes through which it was sent.
  func recordEchoes(of details: Envelope.Details?) {
    guard let echoes = details?.echoes, !echoes.isEmpty else { return }
    turn.evaluation = .selecting
    for echo in echoes { echo() }
    turn.evaluation = .none
  }
}
