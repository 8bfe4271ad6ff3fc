/// What was sent to a store and not taken for its turn. The ``StateEngine`` has the actions of the envelopes, under the
/// same lock. Also the waits of the store's runs and updates, whose accesses are equally short.
struct Mailbox {
  var envelopes: ContiguousArray<Envelope> = []
  /// The empty batch that the next holding uses.
  var spare: Batch?
  /// Runs whose bodies have returned.
  var returns = Fifo<Run>()
  var schedule = DrainSchedule()
  /// Receive what happens. Those that watch for actions alone are at their backends.
  var taps: [StoreTap] = []
  /// The number of drains that wait for a thread, also of those that another thread has made meanwhile: each keeps the
  /// store.
  var drainsOnTheirWay = 0
  /// The waits of the store's runs and updates. A wait informs the taps of its beginning and end on its own thread.
  var waits: [ObjectIdentifier: Wait] = [:]
  /// The number of the latest envelope.
  var tickets: UInt64 = 0
  /// The number of the latest connection.
  var connections: UInt64 = 0
  /// The number of refused actions.
  var refused: UInt64 = 0

  /// Adds an envelope or refuses it. A command of the runtime is never refused.
  ///
  /// - Returns: `nil` if it is refused, which is counted.
  @inline(__always)
  mutating func accept(_ envelope: Envelope, through account: Account) -> DrainSchedule.Step? {
    let (details, phase) = (envelope.details, account.acceptance)
    if details?.command == nil, phase == .closed || phase == .closing && details?.run == nil {
      refused += 1
      return nil
    }
    tickets += 1
    let ticket = tickets
    details?.phase = phase
    if let details, let run = details.run {
      // The run may be concluded before or after this envelope has its turn.
      details.isLate = run.hasReturned
      if !run.hasReturned { run.lastTicket = ticket }
    }
    account.upwards { $0.lastTicket = ticket }
    envelopes.append(envelope)
    return schedule.mailArrived()
  }

  /// Moves out a run that has returned and whose last envelope has had its turn; `nil` if there is none. A run waits
  /// for no envelope of another sender. It rarely waits at all: a body that awaits its sends returns after their turns.
  ///
  /// - Parameter turn: the number of the latest envelope that had its turn.
  mutating func takeReturn(upTo turn: UInt64) -> Run? {
    for _ in 0..<returns.count {
      guard let run = returns.takeFirst() else { break }
      if run.lastTicket <= turn { return run }
      returns.append(run)
    }
    return nil
  }
}
