extension Engine {
  /// Has the calling thread make the turns of what `send` puts in the mailbox, and of all before it.
  ///
  /// Where nobody drains the mailbox, no thread of the reducer queue is woken for what is done here meanwhile: it would
  /// cost more than the turns, and then wait for the lock.
  func drainHere(_ send: () -> Bool) {
    let isClaimed = !queue.isImmediate && claimDrain()
    let isAccepted = send()
    if isClaimed {
      drainAsClaimed(until: mail.withLock(\.tickets))
    } else if isAccepted {
      drain(until: mail.withLock(\.tickets))
    }
  }

  /// Leaves to the reducer queue what was sent by others after the envelope with the ticket.
  private func drainAsClaimed(until ticket: UInt64) {
    while true {
      let holding = makeTurns(until: ticket, isScheduled: true)
      holding.decided?.perform()
      if holding.isIdle { return }
      if holding.isReached { return drainElsewhere() }
    }
  }
}
