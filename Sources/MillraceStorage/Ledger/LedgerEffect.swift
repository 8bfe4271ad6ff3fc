import Millrace

/// Tells the state what a ``Ledger`` knows to have begun and not ended in an earlier life of the program.
///
/// ```swift
/// store.connect(LedgerEffect(ledger), to: \.interruptions, action: AppAction.ledger)
/// ```
///
/// The reducer takes in what it sends, and decides about each, now or later:
///
/// ```swift
/// case .ledger(let event):
///   state.interruptions.reduce(event)
///   if case .interrupted(var payment, let key) = event, payment.attempt < 3 {
///     state.interruptions.decided(key)
///     payment.attempt += 1  // by which the world and the ledger know that it is meant
///     state.payments.insert(payment)
///   }
/// case .dismissed(let key): state.interruptions.giveUp(key)
/// ```
public struct LedgerEffect<Work: Hashable & Sendable>: EffectComponent {
  /// What is being read or forgotten.
  public enum Request: Hashable, Sendable {
    /// To tell all that was interrupted.
    case open(attempt: Int)
    /// To forget one piece of work.
    case forget(key: LedgerKey, attempt: Int)
  }

  private let ledger: Ledger<Work>

  /// Tells what is in `ledger`.
  public init(_ ledger: Ledger<Work>) { self.ledger = ledger }

  /// Opening, until it is known what was interrupted; forgetting, for what was given up.
  public func requests(in state: Interruptions<Work>) -> Set<Request> { state.requests }

  /// Serves one of them. Reads and writes on a queue of the ledger's own.
  public func run(_ request: Request, send: Send<LedgerEvent<Work>>) async throws(StorageFailure) {
    switch request {
    case .open:
      let opening = try await ledger.files.perform { files throws(StorageFailure) in try files.open() }
      for (work, key) in opening.interrupted { await send(.interrupted(work, key: key)) }
      await send(.opened(damaged: opening.damaged))
    case .forget(let key, _):
      try await ledger.files.perform { files throws(StorageFailure) in try files.forget(key) }
      await send(.forgotten(key: key))
    }
  }

  /// `.failed`
  public func action(for failure: StorageFailure, of request: Request) -> LedgerEvent<Work> {
    .failed(failure)
  }
}

/// What a ``LedgerEffect`` sends.
public enum LedgerEvent<Work: Hashable & Sendable>: Hashable, Sendable {
  /// The work was begun, and is not known to have ended: nobody here knows whether it was done.
  case interrupted(Work, key: LedgerKey)
  /// All that was interrupted has been told. `damaged` tells whether more may have been.
  case opened(damaged: [DamagedFile])
  /// What was given up is no longer in the ledger.
  case forgotten(key: LedgerKey)
  /// Why the ledger can be neither read nor written.
  case failed(StorageFailure)
}
