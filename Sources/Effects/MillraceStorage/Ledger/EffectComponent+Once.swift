import Millrace

extension EffectComponent {
  /// Returns this effect with each request recorded in a ledger before its run begins. A run begins at most once per
  /// attempt.
  ///
  /// ```swift
  /// let payments = PaymentEffect(bank: bank)
  ///   .once(in: ledger, key: \.id, attempt: \.attempt) { event in .once(event) }
  /// store.connect(payments, to: \.payments, action: AppAction.payment)
  /// ```
  ///
  /// A run begins after its record is on disk. It never begins for an attempt that has begun before, even before a
  /// restart of the program; the action that `event` makes then reports why. To start the work again, the reducer asks
  /// for a later attempt with the same key. Pass the key to the outside world, so that it can recognise a repetition.
  ///
  /// The work has ended when its run returns or throws without being stopped, or when one of its final actions has been
  /// reduced. A run that is stopped before that counts as interrupted after a restart, unless
  /// ``Interruptions/giveUp(_:)`` makes the ledger forget it.
  ///
  /// Costs two small synchronised writes per run, on a queue of the ledger's own. Put policies that delay a run, such
  /// as `limited(to:)` or `debounced(for:)`, around this one, so that waiting work is not recorded as begun.
  ///
  /// - Parameters:
  ///   - ledger: the ledger. Use one ledger for one effect.
  ///   - key: returns the permanent name of the piece of work, which no other work may have. Called in the task of the
  ///     run.
  ///   - attempt: returns the attempt number of the request, which the reducer increases.
  ///   - isFinal: whether an action reports the end of the work. By default any action does; return `false` for
  ///     progress.
  ///   - event: makes the actions for events of this policy.
  public func once(
    in ledger: Ledger<Request>, key: @escaping @Sendable (Request) -> String,
    attempt: @escaping @Sendable (Request) -> Int,
    isFinal: @escaping @Sendable (Action) -> Bool = { _ in true },
    event: @escaping @Sendable (OnceEvent<Request>) -> Action
  ) -> OnceEffect<Self> {
    OnceEffect(base: self, ledger: ledger, key: key, attempt: attempt, isFinal: isFinal, event: event)
  }
}
