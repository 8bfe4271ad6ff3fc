/// What the current turn is about, for those who decide in it.
struct TurnContext {
  /// The sequence number of the action; `nil` while connecting.
  var action: UInt64?
  /// The run that sent the action.
  var run: Run?
  /// The action, if it is not the next of the state box.
  var staged: (any Sendable)?
}

extension Engine {
  /// Makes the turn of one envelope: admits it or not, reduces, and decides what runs.
  func makeTurn(of envelope: Envelope) {
    if let command = envelope.enclosure?.command {
      command(self, outcome)
    } else if isAdmitted(envelope) {
      for index in 0..<envelope.count {
        let isLast = index == envelope.count - 1
        willReduce(envelope, staged: nil)
        let start = observers.isEmpty ? nil : ContinuousClock.now
        host.reduceNext(outcome)
        didReduce(envelope, since: start, isLast: isLast)
        host.dropNext()
      }
      if let sender = envelope.enclosure?.sender { outcome.tell(sender, .reduced) }
    } else {
      for _ in 0..<envelope.count {
        if !observers.isEmpty {
          emit(.turnedAway(action: host.nextAction, fate: .fenced, cause: envelope.cause))
        }
        host.dropNext()
      }
      fencedCount += UInt64(envelope.count)
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
    willReduce(envelope, staged: action)
    let start = observers.isEmpty ? nil : ContinuousClock.now
    apply()
    didReduce(envelope, since: start, isLast: true)
  }

  private func willReduce(_ envelope: Envelope, staged: (any Sendable)?) {
    sequence += 1
    if !observers.isEmpty {
      let action = staged ?? host.nextAction
      emit(.willReduce(action: action, sequence: sequence, cause: envelope.cause))
    }
    if tree.effectCount > 0 {
      turn = TurnContext(action: sequence, run: envelope.enclosure?.run, staged: staged)
    }
    evaluation = .reducing
  }

  /// Decides what runs, if the action was the last of its turn.
  private func didReduce(_ envelope: Envelope, since start: ContinuousClock.Instant?, isLast: Bool) {
    evaluation = .selecting
    if let start {
      let depth = inbox.count - inboxNext + mail.withLock { $0.envelopes.count }
      emit(.didReduce(sequence: sequence, duration: ContinuousClock.now - start, queueDepth: depth))
    }
    if let echoes = envelope.enclosure?.echoes {
      for echo in echoes { echo(self, outcome) }
    }
    areDisplaysDue = true
    if tree.effectCount > 0 {
      if isLast { tree.serveEffects(self, outcome) }
      turn = TurnContext()
    }
    evaluation = .none
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
