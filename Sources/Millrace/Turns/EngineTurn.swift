/// What the current turn is about, for those who decide in it.
struct TurnContext {
  /// The sequence number of the action; `nil` while connecting.
  var action: UInt64?
  /// The run that sent the action.
  var run: Run?
  /// The action, if it is not the next of the inbox.
  var staged: (any Sendable)?
}

/// How far a store's turns are: what changes with every action. Reached by pointer, since a stored property of a class
/// is checked for exclusive access at every use. Guarded by the turn lock.
struct TurnProgress {
  /// Which of the user's pure functions the current turn is calling.
  enum Evaluation { case none, reducing, selecting }

  /// What was taken from the mailbox.
  var inbox = MailQueue()
  /// How many envelopes had their turn since displays were served.
  var batchLength: Int32 = 0
  /// The ticket of the last envelope that had its turn.
  var turnsMade: UInt64 = 0
  /// The number of actions reduced, which is the sequence number of the last one.
  var sequence: UInt64 = 0
  var fenced: UInt64 = 0
  /// Whether displays have not been served since the last reduction.
  var areDisplaysDue = false
  var isObserved = false
  /// Whether there are attachments of each kind.
  var hasEffects = false
  var hasDisplays = false
  var evaluation = Evaluation.none
}

extension Engine {
  /// Makes the turns of the plain actions that come next at one go, where nothing is decided after each and nobody
  /// is told of each.
  ///
  /// - Returns: how many there were.
  func makeStretch(atMost limit: Int) -> Int {
    guard !progress.pointee.hasEffects, !progress.pointee.isObserved, !host.isTapped else { return 0 }
    let count = progress.pointee.inbox.plainCount(atMost: limit, shape)
    if count == 0 { return 0 }
    progress.pointee.batchLength += Int32(count)
    progress.pointee.turnsMade += UInt64(count)
    progress.pointee.sequence += UInt64(count)
    progress.pointee.evaluation = .reducing
    host.reduceStretch(at: progress.pointee.inbox.frontAction(shape), stride: shape.stride, count: count)
    progress.pointee.evaluation = .none
    progress.pointee.inbox.removeFront(count, shape)
    progress.pointee.areDisplaysDue = true
    return count
  }

  /// Makes the turn of the envelope at the front of the inbox: admits it or not, reduces, and decides what runs.
  func makeTurn(of envelope: Envelope) {
    if let command = envelope.enclosure?.command {
      progress.pointee.inbox.removeFront(shape)
      command(self, outcome)
    } else if isAdmitted(envelope) {
      for index in 0..<envelope.count {
        let isLast = index == envelope.count - 1
        willReduce(envelope)
        if progress.pointee.isObserved {
          observe(host.action(at: nextAction), envelope) { host.reduce(at: nextAction, outcome) }
        } else {
          host.reduce(at: nextAction, outcome)
        }
        didReduce(envelope, isLast: isLast)
        dropNext()
      }
      if let sender = envelope.enclosure?.sender { outcome.tell(sender, .reduced) }
    } else {
      for _ in 0..<envelope.count {
        if progress.pointee.isObserved {
          emit(.turnedAway(action: host.action(at: nextAction), fate: .fenced, cause: envelope.cause))
        }
        dropNext()
      }
      progress.pointee.fenced += UInt64(envelope.count)
      if let sender = envelope.enclosure?.sender { outcome.tell(sender, .fenced) }
    }
  }

  /// Where the action at the front of the inbox lies.
  var nextAction: UnsafeMutableRawPointer { progress.pointee.inbox.frontAction(shape) }

  private func dropNext() {
    host.drop(at: nextAction)
    progress.pointee.inbox.removeFront(shape)
  }

  /// Whether what the envelope holds may touch the state: decided here, in its turn, and nowhere earlier.
  private func isAdmitted(_ envelope: Envelope) -> Bool {
    guard let enclosure = envelope.enclosure else { return true }
    if let run = enclosure.run, !run.isLive { return false }
    return !enclosure.scope.any(\.isEnded)
  }

  /// Reduces an action that was never in the mailbox, by `apply`.
  func reduce(_ envelope: Envelope, staged action: some Sendable, by apply: () -> Void) {
    willReduce(envelope)
    tables.turn.pointee.staged = action
    if progress.pointee.isObserved {
      observe(action, envelope, apply)
    } else {
      apply()
    }
    didReduce(envelope, isLast: true)
    tables.turn.pointee.staged = nil
  }

  private func willReduce(_ envelope: Envelope) {
    progress.pointee.sequence += 1
    if progress.pointee.hasEffects {
      tables.turn.pointee = TurnContext(action: progress.pointee.sequence, run: envelope.enclosure?.run)
    }
    progress.pointee.evaluation = .reducing
  }

  private func observe(_ action: any Sendable, _ envelope: Envelope, _ apply: () -> Void) {
    let sequence = progress.pointee.sequence
    emit(.willReduce(action: action, sequence: sequence, cause: envelope.cause))
    let start = ContinuousClock.now
    apply()
    let duration = ContinuousClock.now - start
    // The action itself, if it came through the mailbox, is still in the inbox.
    let taken = progress.pointee.inbox.count - (tables.turn.pointee.staged == nil ? 1 : 0)
    let depth = taken + mail.withLock(\.incoming.count)
    emit(.didReduce(sequence: sequence, duration: duration, queueDepth: depth))
  }

  /// Decides what runs, if the action was the last of its turn.
  private func didReduce(_ envelope: Envelope, isLast: Bool) {
    progress.pointee.evaluation = .selecting
    if let echoes = envelope.enclosure?.echoes {
      for echo in echoes { echo(self, outcome) }
    }
    progress.pointee.areDisplaysDue = true
    if progress.pointee.hasEffects {
      if isLast { tables.tree.serveEffects(self, outcome) }
      tables.turn.pointee = TurnContext()
    }
    progress.pointee.evaluation = .none
  }

  /// Counts work that begins or ends in its scope.
  func count(_ scope: Scope, by difference: Int) {
    scope.upwards { $0.busy += difference }
  }
}

extension Envelope {
  /// Where it came from, for an observer.
  var cause: ActionCause {
    guard let run = enclosure?.run else { return .outside(site) }
    return .run(run.identity, startedBy: run.cause.action, site)
  }
}
