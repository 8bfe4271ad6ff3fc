/// What the current turn is about, for those who decide in it.
struct TurnContext {
  /// The sequence number of the action; `nil` while connecting.
  var action: UInt64?
  /// The run that sent the action.
  var run: Run?
  /// The action, if it is not the next of the state box.
  var staged: (any Sendable)?
}

/// How far a store's turns are: what changes with every action. Reached by pointer, since a stored property of a class
/// is checked for exclusive access at every use. Guarded by the turn lock.
struct TurnProgress {
  /// Which of the user's pure functions the current turn is calling.
  enum Evaluation { case none, reducing, selecting }

  /// What was taken from the mailbox.
  var inbox: [Envelope] = []
  private var next = 0
  /// The ticket of the last envelope that had its turn.
  var turnsMade: UInt64 = 0
  /// The number of actions reduced, which is the sequence number of the last one.
  var sequence: UInt64 = 0
  var fenced: UInt64 = 0
  /// How many envelopes had their turn since displays were served.
  var batchLength = 0
  /// Whether displays have not been served since the last reduction.
  var areDisplaysDue = false
  var isObserved = false
  var evaluation = Evaluation.none

  /// How many taken envelopes have not had their turn.
  var waiting: Int { inbox.count - next }

  mutating func takeNext() -> Envelope {
    defer {
      next += 1
      batchLength += 1
    }
    return inbox[next]
  }

  /// Takes the plain actions that come next, at most so many, as if each had its turn.
  ///
  /// - Returns: how many there were.
  mutating func takeStretch(atMost limit: Int) -> Int {
    let start = next
    inbox.withUnsafeBufferPointer { inbox in
      let end = min(inbox.count, start + limit)
      while next < end, inbox[next].isPlain { next += 1 }
    }
    let count = next - start
    batchLength += count
    turnsMade += UInt64(count)
    sequence += UInt64(count)
    return count
  }

  /// Forgets what had its turn.
  mutating func empty() {
    inbox.removeAll(keepingCapacity: true)
    next = 0
  }
}

extension Engine {
  /// Makes the turns of the plain actions that come next at one go, where nothing is decided after each and nobody
  /// is told of each.
  ///
  /// - Returns: how many there were.
  func makeStretch(atMost limit: Int) -> Int {
    guard tree.effectCount == 0, !progress.pointee.isObserved, !host.isTapped else { return 0 }
    let count = progress.pointee.takeStretch(atMost: limit)
    if count == 0 { return 0 }
    progress.pointee.evaluation = .reducing
    host.reduceStretch(count)
    progress.pointee.evaluation = .none
    progress.pointee.areDisplaysDue = true
    return count
  }

  /// Makes the turn of one envelope: admits it or not, reduces, and decides what runs.
  func makeTurn(of envelope: Envelope) {
    if let command = envelope.enclosure?.command {
      command(self, outcome)
    } else if isAdmitted(envelope) {
      for index in 0..<envelope.count {
        let isLast = index == envelope.count - 1
        willReduce(envelope)
        if progress.pointee.isObserved {
          observe(host.nextAction, envelope) { host.reduceNext(outcome) }
        } else {
          host.reduceNext(outcome)
        }
        didReduce(envelope, isLast: isLast)
        host.dropNext()
      }
      if let sender = envelope.enclosure?.sender { outcome.tell(sender, .reduced) }
    } else {
      for _ in 0..<envelope.count {
        if progress.pointee.isObserved {
          emit(.turnedAway(action: host.nextAction, fate: .fenced, cause: envelope.cause))
        }
        host.dropNext()
      }
      progress.pointee.fenced += UInt64(envelope.count)
      if let sender = envelope.enclosure?.sender { outcome.tell(sender, .fenced) }
    }
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
    turn.staged = action
    if progress.pointee.isObserved {
      observe(action, envelope, apply)
    } else {
      apply()
    }
    didReduce(envelope, isLast: true)
    turn.staged = nil
  }

  private func willReduce(_ envelope: Envelope) {
    progress.pointee.sequence += 1
    if tree.effectCount > 0 {
      turn = TurnContext(action: progress.pointee.sequence, run: envelope.enclosure?.run)
    }
    progress.pointee.evaluation = .reducing
  }

  private func observe(_ action: any Sendable, _ envelope: Envelope, _ apply: () -> Void) {
    let sequence = progress.pointee.sequence
    emit(.willReduce(action: action, sequence: sequence, cause: envelope.cause))
    let start = ContinuousClock.now
    apply()
    let duration = ContinuousClock.now - start
    let depth = progress.pointee.waiting + mail.withLock { $0.envelopes.count }
    emit(.didReduce(sequence: sequence, duration: duration, queueDepth: depth))
  }

  /// Decides what runs, if the action was the last of its turn.
  private func didReduce(_ envelope: Envelope, isLast: Bool) {
    progress.pointee.evaluation = .selecting
    if let echoes = envelope.enclosure?.echoes {
      for echo in echoes { echo(self, outcome) }
    }
    progress.pointee.areDisplaysDue = true
    if tree.effectCount > 0 {
      if isLast { tree.serveEffects(self, outcome) }
      turn = TurnContext()
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
