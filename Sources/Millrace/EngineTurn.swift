/// What the current turn is about, for those who decide in it.
struct TurnContext {
  /// The sequence number of the action; `nil` while connecting.
  var action: UInt64?
  /// The run that sent the action.
  var run: Run?
  /// The action, boxed only when somebody asks.
  var describe: (() -> any Sendable)?
}

extension Engine {
  /// Makes the turn of one envelope: admits it or not, reduces, and decides what runs.
  func makeTurn(of envelope: Envelope) {
    switch envelope.work {
    case .command(let command):
      command(self, outcome)
    case .action:
      guard isAdmitted(envelope) else {
        emitFate(.fenced, envelope)
        host.dropNext()
        fence(envelope, count: 1)
        return
      }
      reduceNext(envelope, isLast: true)
      host.dropNext()
      conclude(envelope)
    case .batch(let count):
      guard isAdmitted(envelope) else {
        for _ in 0..<count {
          emitFate(.fenced, envelope)
          host.dropNext()
        }
        fence(envelope, count: UInt64(count))
        return
      }
      for index in 1...count {
        reduceNext(envelope, isLast: index == count)
        host.dropNext()
      }
      conclude(envelope)
    }
  }

  /// Whether what the envelope holds may touch the state: decided here, in its turn, and nowhere earlier.
  private func isAdmitted(_ envelope: Envelope) -> Bool {
    if let run = envelope.run, !run.isLive { return false }
    return !envelope.scope.any(\.isEnded)
  }

  private func fence(_ envelope: Envelope, count: UInt64) {
    fencedCount += count
    if let sender = envelope.sender { outcome.tell(sender, .fenced) }
  }

  private func conclude(_ envelope: Envelope) {
    if let sender = envelope.sender { outcome.tell(sender, .reduced) }
  }

  private func reduceNext(_ envelope: Envelope, isLast: Bool) {
    reduce(
      envelope, isLast: isLast, describe: { [host] in host.nextAction }, by: { host.reduceNext(outcome) })
  }

  /// Reduces one action and, if it is the last of its turn, decides what runs.
  func reduce(
    _ envelope: Envelope, isLast: Bool = true, describe: @escaping () -> any Sendable,
    by apply: () -> Void
  ) {
    sequence += 1
    turn = TurnContext(action: sequence, run: envelope.run, describe: describe)
    evaluation = .reducing
    if observers.isEmpty {
      apply()
    } else {
      observe(envelope, describe, apply)
    }
    evaluation = .selecting
    if let echoes = envelope.echoes {
      for echo in echoes { echo(self, outcome) }
    }
    areDisplaysDue = true
    if isLast, tree.effectCount > 0 { tree.serveEffects(self, outcome) }
    evaluation = .none
    turn = TurnContext()
  }

  private func observe(_ envelope: Envelope, _ describe: () -> any Sendable, _ apply: () -> Void) {
    let depth = inbox.count - inboxNext + mail.withLock { $0.envelopes.count }
    emit(.willReduce(action: describe(), sequence: sequence, cause: envelope.cause))
    let start = ContinuousClock.now
    apply()
    emit(.didReduce(sequence: sequence, duration: ContinuousClock.now - start, queueDepth: depth))
  }

  private func emitFate(_ fate: Delivery, _ envelope: Envelope) {
    if observers.isEmpty { return }
    emit(.turnedAway(action: host.nextAction, fate: fate, cause: envelope.cause))
  }

  /// Counts work that begins or ends in its scope.
  func count(_ scope: Scope, by difference: Int) {
    scope.upwards { $0.busy += difference }
  }
}

extension Envelope {
  /// Where it came from, for an observer.
  var cause: ActionCause {
    guard let run else { return .outside(site) }
    return .run(run.identity, startedBy: run.cause.action, site)
  }
}
