/// One entry of a store's mailbox, without its action: that is in `StateEngine.incoming`, in the same order. An action sent
/// to the store from outside, by far the most frequent, has no details.
struct Envelope {
  let site: CallSite
  let details: Details?

  /// The details of everything but an action sent to the store from outside.
  final class Details {
    /// The account of the store or scope that it was sent through.
    let account: Account
    /// The run that sent it; `nil` from outside.
    let run: Run?
    /// Resumed with the fate of the action, if a task waits for it.
    let sender: WaitingSender?
    /// Called after the action is reduced: they record it for the taps of scopes.
    let echoes: [Echo]
    /// A change of what is connected, in place of an action.
    let command: Command?
    /// Whether the run that sent it had returned. Guarded by the mailbox lock until it is taken from there.
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

    /// Whether it may touch the state: the one question of admission.
    var isAdmitted: Bool { run.map { !isLate && $0.isAdmitted } ?? !account.isOver }
  }

  /// The cause of its action, for observers.
  var cause: ActionCause {
    guard let run = details?.run else { return .outside(site) }
    return .run(run.identity, startedBy: run.cause.action, site)
  }
}

/// A caller that waits for the fate of what it has sent. Resumed once: by the turn of its envelope, or by a refusal.
typealias WaitingSender = UnsafeContinuation<Delivery, Never>

/// Work of the runtime in a turn of its own, such as a change of what is connected.
typealias Command = () -> Void

/// Called in the turn in which an action is reduced, right after it is, with the turn lock held.
typealias Echo = () -> Void

/// The details of an action on its way from a scope down to the store.
struct Sending {
  let site: CallSite
  var run: Run?
  var sender: WaitingSender?
  /// Whether it is reduced at once, in the current turn, rather than put in the mailbox.
  var isInTurn = false
  /// Whether something records what is sent through the scope, so that each backend on the way looks for its taps.
  var isTapped = false
  var echoes: [Echo] = []

  /// An envelope around the action.
  func envelope(through account: Account) -> Envelope {
    let isPlain = run == nil && sender == nil && echoes.isEmpty && !account.isMortal
    return Envelope(
      site: site,
      details: isPlain
        ? nil
        : Envelope.Details(account: account, run: run, sender: sender, echoes: echoes))
  }
}
