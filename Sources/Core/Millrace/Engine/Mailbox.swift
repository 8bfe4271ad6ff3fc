/// What was sent to a store and not taken for its turn. The ``StateEngine`` has the actions of the envelopes, under the
/// same lock. Also what else is held for a few instructions at a time: the waits of the store's runs and updates.
struct Mailbox {
  var envelopes: ContiguousArray<Envelope> = []
  /// The empty buffers that the next holding uses.
  var spare: Spent?
  /// Runs whose bodies have returned, by the number of their last envelope. They do not wait for envelopes of other
  /// senders.
  private(set) var returns = SmallestFirst<Run>()
  var schedule = DrainSchedule()
  /// Receive what happens. Those that watch for actions alone are at their backends.
  var taps: [StoreTap] = []
  /// The number of drains that wait for a thread, also of those that another thread has made meanwhile: each keeps the
  /// store.
  var drainsOnTheirWay = 0
  /// The waits of the store's runs and updates. A wait informs the taps of its beginning and end on its own thread.
  var waits: [ObjectIdentifier: Wait] = [:]
  /// The number of ``ActionTap``s. An action carries echoes only if there are any.
  var actionTaps = 0
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
    let (details, run) = (envelope.details, envelope.details?.run)
    if details?.command == nil {
      if account.any({ $0.phase == .closed || run == nil && $0.phase == .closing }) {
        refused += 1
        return nil
      }
    }
    put(envelope, through: account)
    return schedule.mailArrived()
  }

  @inline(__always)
  private mutating func put(_ envelope: Envelope, through account: Account) {
    tickets += 1
    let ticket = tickets
    if let details = envelope.details, let run = details.run {
      // The run may be concluded before or after this envelope has its turn.
      details.isLate = run.hasReturned
      if !run.hasReturned { run.lastTicket = ticket }
    }
    account.upwards { $0.lastTicket = ticket }
    envelopes.append(envelope)
  }

  /// A run's body has returned.
  mutating func bodyReturned(_ run: Run) {
    run.hasReturned = true
    returns.insert(run, at: run.lastTicket)
  }

  /// The body of a run has thrown. The action for the failure is reduced in the order of all others, unless it is
  /// refused.
  mutating func bodyThrew(
    _ run: Run, _ conclude: @escaping Command
  ) -> DrainSchedule.Step {
    run.hasReturned = true
    let account = run.connected.account
    let isRefused = account.any { $0.phase == .closed }
    let details = Envelope.Details(account: account, isClosing: isRefused, command: conclude)
    put(Envelope(site: run.connected.site, details: details), through: account)
    return schedule.mailArrived()
  }

  /// Moves out a run that has returned and whose last envelope has had its turn; `nil` if there is none.
  ///
  /// - Parameter turn: the number of the latest envelope that had its turn.
  mutating func takeReturn(upTo turn: UInt64) -> Run? {
    returns.takeFirst(upTo: turn)
  }
}
