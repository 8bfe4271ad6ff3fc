/// In the state: what a ``LedgerEffect`` has told, and what the reducer decided about it.
///
/// ```swift
/// var interruptions = Interruptions<Payment>()
/// interruptions.reduce(.interrupted(payment, key: "p-1"))
/// interruptions.giveUp("p-1")  // in the reducer: the ledger forgets it
/// ```
public struct Interruptions<Work: Hashable & Sendable>: Hashable, Sendable {
  /// What was begun and has not ended, by key, and nobody has decided about.
  public private(set) var undecided: [LedgerKey: Work] = [:]
  /// Whether all that was interrupted has been told.
  public private(set) var isKnown = false
  /// The ledgers that were found damaged, in which more may have been written down.
  public private(set) var damaged: [DamagedFile] = []
  /// Why the ledger can be neither read nor written; nothing more is asked of it until `retry()`.
  public private(set) var failure: StorageFailure?
  private var givenUp: Set<LedgerKey> = []
  private var attempt = 1

  /// Nothing is known yet, and a connected ``LedgerEffect`` is asked to tell.
  public init() {}

  /// What is asked of the ledger.
  var requests: Set<LedgerEffect<Work>.Request> {
    if failure != nil { return [] }
    var requests = Set(givenUp.map { LedgerEffect<Work>.Request.forget(key: $0, attempt: attempt) })
    if !isKnown { requests.insert(.open(attempt: attempt)) }
    return requests
  }

  /// Takes in what a ``LedgerEffect`` sent.
  public mutating func reduce(_ event: LedgerEvent<Work>) {
    switch event {
    case .interrupted(let work, let key): undecided[key] = work
    case .opened(let damaged): (isKnown, self.damaged) = (true, damaged)
    case .forgotten(let key): givenUp.remove(key)
    case .failed(let failure): self.failure = failure
    }
  }

  /// Something else was decided than to give up: the work is asked for again, as a later attempt.
  public mutating func decided(_ key: LedgerKey) { undecided[key] = nil }

  /// Has the ledger forget the work that was begun and has not ended, as if it had.
  public mutating func giveUp(_ key: LedgerKey) {
    undecided[key] = nil
    givenUp.insert(key)
  }

  /// Asks again for what failed.
  public mutating func retry() {
    guard failure != nil else { return }
    failure = nil
    attempt += 1
  }
}
