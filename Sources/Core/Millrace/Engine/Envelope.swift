/// One entry of a store's mailbox, without its action. The action is in `StateEngine.incoming`, in the same order. An
/// action dispatched to the root store from outside, by far the most frequent, has no details.
struct Envelope {
  let site: CallSite
  let details: Details?

  /// The details of an envelope with a run, a sender, echoes or a command, or in a part of the state.
  final class Details {
    /// The account of the store or scope through which it was sent.
    let account: Account
    /// The run that sent it; `nil` from outside.
    let run: Run?
    /// Resumed with the fate of the action, if a task waits for it.
    let sender: WaitingSender?
    /// They record the action for taps, after it is reduced.
    let echoes: [Echo]
    /// A change of the connections, instead of an action.
    let command: Command?
    // Set as the envelope is put in, and guarded by the mailbox lock until it is taken.
    /// The phase of the account: the argument of the command.
    var phase = Account.Phase.open
    /// Whether the run that sent it had returned.
    var isLate = false

    init(
      account: Account, run: Run? = nil, sender: WaitingSender? = nil, echoes: [Echo] = [],
      command: Command? = nil
    ) {
      self.account = account
      self.run = run
      self.sender = sender
      self.echoes = echoes
      self.command = command
    }

    /// Whether it may change the state. Admission depends on this alone.
    var isAdmitted: Bool { run.map { !isLate && $0.isAdmitted } ?? !account.isOver }
  }

  /// The cause of its action, for observers.
  var cause: ActionCause {
    guard let run = details?.run else { return .outside(site) }
    return .run(run.identity, startedBy: run.cause.action, site)
  }
}

/// A caller that waits for the fate of its action. Resumed once, by the turn of its envelope or by a refusal.
typealias WaitingSender = UnsafeContinuation<Delivery, Never>

/// Work of the runtime in a turn of its own, such as a change of the connections.
typealias Command = (_ phase: Account.Phase) -> Void

/// Called with the turn lock held, right after the action is reduced.
typealias Echo = () -> Void

/// The details of an action on its way from a scope down to the store.
struct Sending {
  let site: CallSite
  var run: Run?
  var sender: WaitingSender?
  /// Whether the action is reduced at once in the current turn, and not put in the mailbox.
  var isInTurn = false
  /// Whether actions are recorded, so that each backend on the way adds an echo.
  var isTapped = false
  var echoes: [Echo] = []

  func envelope(through account: Account) -> Envelope {
    let isPlain = run == nil && sender == nil && echoes.isEmpty && !account.isMortal
    return Envelope(
      site: site,
      details: isPlain
        ? nil
        : Envelope.Details(account: account, run: run, sender: sender, echoes: echoes))
  }
}
