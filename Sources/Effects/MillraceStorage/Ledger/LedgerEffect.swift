import Millrace

/// Reports the work that a ``Ledger`` has recorded as begun and not ended in an earlier life of the program.
///
/// ```swift
/// store.connect(LedgerEffect(ledger), to: \.interruptions, action: AppAction.ledger)
/// ```
///
/// The reducer applies its events, and decides about each piece of work, now or later. Interrupted work may or may not
/// have been done. Find out before you repeat it or give it up. Here another effect has asked the bank:
///
/// ```swift
/// case .ledger(let event): state.interruptions.reduce(event)
/// case .asked(var payment, isPaid: false):  // the bank knows nothing of it
///   state.interruptions.decided(LedgerKey(payment.id))
///   payment.attempt += 1  // shows that the repetition is intended
///   state.payments.insert(payment)
/// case .asked(let payment, isPaid: true): state.interruptions.giveUp(LedgerKey(payment.id))
/// ```
public struct LedgerEffect<Work: Hashable & Sendable>: EffectComponent {
  /// An access to the ledger.
  public enum Request: Hashable, Sendable {
    /// Read all interrupted work.
    case open(attempt: Int)
    /// Forget one piece of work.
    case forget(key: LedgerKey, attempt: Int)
  }

  private let ledger: Ledger<Work>

  /// Makes an effect that reports from `ledger`.
  public init(_ ledger: Ledger<Work>) { self.ledger = ledger }

  /// Returns a request to open the ledger until the interrupted work is known, and requests to forget the work that
  /// was given up.
  public func requests(in state: Interruptions<Work>) -> Set<Request> { state.requests }

  /// Serves one request. Reads and writes on a queue of the ledger's own.
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

  /// Returns ``LedgerEvent/failed(_:)``.
  public func action(for failure: StorageFailure, of request: Request) -> LedgerEvent<Work> {
    .failed(failure)
  }
}

/// An event of a ``LedgerEffect``.
public enum LedgerEvent<Work: Hashable & Sendable>: Hashable, Sendable {
  /// The work was begun and is not known to have ended. It may or may not have been done.
  case interrupted(Work, key: LedgerKey)
  /// All interrupted work has been reported, except for records that damaged files may have lost.
  case opened(damaged: [DamagedFile])
  /// The work was given up and is no longer in the ledger.
  case forgotten(key: LedgerKey)
  /// The ledger cannot be read or written.
  case failed(StorageFailure)
}

extension LedgerEvent: Codable where Work: Codable {}
