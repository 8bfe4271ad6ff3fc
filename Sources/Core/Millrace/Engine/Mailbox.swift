/// The envelopes that were sent to a store and have not been taken for their turns. Their actions are with the
/// ``StateEngine``, under the same lock.
struct Mailbox {
  var envelopes: ContiguousArray<Envelope> = []
  /// Runs whose bodies have returned, in the order of their last tickets. They do not wait behind what others have sent.
  private(set) var returns: [Run] = []
  /// Those whose last envelope has had its turn.
  private var ready = Fifo<Run>()
  var schedule = DrainSchedule()
  /// The empty buffers that the next holding uses.
  var spare: Spent?
  /// Whether an observer is connected, to which refusals are reported.
  var isObserved = false
  /// The number of the latest envelope.
  var tickets: UInt64 = 0
  /// The number of the latest connection.
  var connections: UInt64 = 0
  /// How many actions were refused.
  var refused: UInt64 = 0

  var isEmpty: Bool { envelopes.isEmpty && returnCount == 0 }
  /// How many runs have returned and are not concluded.
  var returnCount: Int { returns.count + ready.count }

  /// Puts an envelope in, or refuses it. A command of the runtime's is never refused.
  ///
  /// - Returns: `nil` if it is refused, and counted.
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
      // It is concluded before this has its turn, or after it.
      details.isLate = run.hasReturned
      if !run.hasReturned { run.lastTicket = ticket }
    }
    account.upwards { $0.lastTicket = ticket }
    envelopes.append(envelope)
  }

  /// A run's body has returned.
  mutating func bodyReturned(_ run: Run) -> DrainSchedule.Step {
    run.hasReturned = true
    // From the end, where it mostly belongs.
    returns.insert(run, at: (returns.lastIndex { $0.lastTicket <= run.lastTicket } ?? -1) + 1)
    return schedule.mailArrived()
  }

  /// A run's body has thrown: an action is reduced, in the order of all others, unless it would be refused.
  mutating func bodyThrew(
    _ run: Run, _ conclude: @escaping (_ isRefused: Bool) -> Void
  ) -> DrainSchedule.Step {
    run.hasReturned = true
    let account = run.connected.account
    let isRefused = account.any { $0.phase == .closed }
    let details = Envelope.Details(account: account) { conclude(isRefused) }
    put(Envelope(site: run.connected.site, details: details), through: account)
    return schedule.mailArrived()
  }

  /// Moves out a run that has returned and whose last envelope has had its turn; `nil` if there is none.
  ///
  /// - Parameter turn: the number of the latest envelope that had its turn.
  mutating func takeReturn(upTo turn: UInt64) -> Run? {
    if ready.isEmpty, !returns.isEmpty {
      let count = returns.firstIndex { $0.lastTicket > turn } ?? returns.count
      for item in returns[..<count] { ready.append(item) }
      // An array that was large gives its memory back.
      if count == returns.count, count > 1024 { returns = [] } else { returns.removeFirst(count) }
    }
    return ready.takeFirst()
  }
}
