/// One entry of a store's mailbox, without its actions: these are in `StateEngine.incoming`, in the same order. An action
/// sent to the store from outside, by far the most frequent, has no details.
struct Envelope {
  let site: CallSite
  let details: Details?

  /// How many actions are reduced in its turn; 0 for a command.
  var count: Int { details?.count ?? 1 }

  /// The details of everything but an action sent to the store from outside.
  final class Details {
    let count: Int
    /// The account of the store or scope that it was sent through.
    let account: Account
    /// The run that sent it; `nil` from outside.
    let run: Run?
    /// Resumed with the fate of the actions, if a task waits for it.
    let sender: WaitingSender?
    /// Called after each action is reduced: they record it for the taps of scopes.
    let echoes: [Echo]
    /// A change of what is connected.
    let command: Command?
    /// Whether the run that sent it had returned. Guarded by the mailbox lock until it is taken from there.
    var isLate = false

    init(
      count: Int, account: Account, run: Run? = nil, sender: WaitingSender? = nil,
      echoes: [Echo] = [], command: Command? = nil
    ) {
      self.count = count
      self.account = account
      self.run = run
      self.sender = sender
      self.echoes = echoes
      self.command = command
    }

    /// Whether it may touch the state: the one question of admission.
    var isAdmitted: Bool { run.map { !isLate && $0.isAdmitted } ?? !account.isOver }
  }

  /// The cause of its actions, for observers.
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
///
/// - Parameter index: which action of its envelope it is.
typealias Echo = (_ index: Int) -> Void

/// The details of actions on their way from a scope down to the store.
struct Sending {
  let site: CallSite
  var run: Run?
  var sender: WaitingSender?
  /// Whether it is reduced at once, in the current turn, rather than put in the mailbox.
  var isInTurn = false
  /// Whether something records what is sent through the scope, so that each backend on the way looks for its taps.
  var isTapped = false
  var echoes: [Echo] = []
  /// The results of the action mappings of what has to be sent again, that of the outermost mapping last.
  var mappings: [Any] = []

  /// Passes on the result of an action mapping: a new one, or the one of the first time.
  ///
  /// - Returns: what `pass` returns; `nil` if all is to be sent again.
  mutating func mapped<Mapped>(
    _ map: () -> Mapped, _ pass: (Mapped, inout Sending) -> Bool?
  ) -> Bool? {
    if isTapped { return pass(kept(or: map), &self) }
    let mapped = map()
    let isAccepted = pass(mapped, &self)
    if isAccepted == nil { mappings.append(mapped) }
    return isAccepted
  }

  /// The result of the first time. A function of its own: where the optional type is named, it is looked up at each call.
  @inline(never)
  private mutating func kept<Mapped>(or map: () -> Mapped) -> Mapped {
    // Two steps: where actions are optional, `nil as? Mapped` is an action.
    if let kept = mappings.popLast(), let kept = kept as? Mapped { kept } else { map() }
  }

  /// An envelope around `count` actions.
  func envelope(_ count: Int, through account: Account) -> Envelope {
    let isPlain = count == 1 && run == nil && sender == nil && echoes.isEmpty && !account.isMortal
    return Envelope(
      site: site,
      details: isPlain
        ? nil
        : Envelope.Details(count: count, account: account, run: run, sender: sender, echoes: echoes))
  }
}
