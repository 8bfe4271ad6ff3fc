import Millrace

extension EffectComponent {
  /// This effect with each request written down in a ledger before its run begins, and begun once.
  ///
  /// ```swift
  /// let payments = PaymentEffect(bank: bank)
  ///   .once(in: ledger, key: \.id, attempt: \.attempt) { event in .once(event) }
  /// store.connect(payments, to: \.payments, action: AppAction.payment)
  /// ```
  ///
  /// The run begins when the record is on the medium, and never for an attempt that has begun before, be it in an
  /// earlier life of the program: then `event` makes the action that says so. A later attempt with the same key
  /// is how a reducer says that the work may begin again; hand the key to the world outside, so that it can tell
  /// a repetition.
  ///
  /// The work has ended when its run has returned or thrown without having been stopped, or when a final action of
  /// it has been reduced, in whatever state the run is then. A run that is stopped before is not known to have
  /// ended: after a restart it is told as interrupted, unless ``Interruptions/giveUp(_:)`` has the ledger forget it.
  ///
  /// Costs two small synchronised writes for each run, on a queue of the ledger's own. Policies that hold a run
  /// back, such as `limited(to:)` or `debounced(for:clock:)`, belong around this one, so that what waits is not
  /// written down as begun.
  ///
  /// - Parameters:
  ///   - ledger: where it is written. Use one ledger for one effect.
  ///   - key: names the piece of work, for ever. No other work may have it. Called in the run's task.
  ///   - attempt: which attempt the request is, counted up by the reducer.
  ///   - isFinal: whether an action tells how the work ended. By default any does; leave out what tells of progress.
  ///   - event: makes the action for what happens here.
  public func once(
    in ledger: Ledger<Request>, key: @escaping @Sendable (Request) -> String,
    attempt: @escaping @Sendable (Request) -> Int,
    isFinal: @escaping @Sendable (Action) -> Bool = { _ in true },
    event: @escaping @Sendable (OnceEvent<Request>) -> Action
  ) -> OnceEffect<Self> {
    OnceEffect(self, ledger, key: key, attempt: attempt, isFinal: isFinal, event: event)
  }
}
