/// The interrupted work that a ``LedgerEffect`` has reported, with the reducer's decisions about it. Keep it in the
/// state.
///
/// ```swift
/// var interruptions = Interruptions<Payment>()
/// interruptions.reduce(.interrupted(payment, key: "p-1"))
/// interruptions.giveUp("p-1")  // in the reducer: the ledger forgets it
/// ```
public struct Interruptions<Work: Hashable & Sendable>: Hashable, Sendable {
  /// The interrupted work about which nothing has been decided, by key.
  public private(set) var undecided: [LedgerKey: Work] = [:]
  /// Whether all interrupted work has been reported.
  public private(set) var isKnown = false
  /// The damaged ledgers, which may have recorded more interrupted work.
  public private(set) var damaged: [DamagedFile] = []
  /// The failure of the last access to the ledger. Nothing more is tried until `retry()` is called.
  public private(set) var failure: StorageFailure?
  private var givenUp: Set<LedgerKey> = []
  private var attempt = 1

  /// Makes an empty value; a connected ``LedgerEffect`` will report the interrupted work.
  public init() {}

  /// Makes a value in any condition, for tests.
  ///
  /// - Parameter givenUp: the keys that the ledger has not forgotten yet.
  public init(
    undecided: [LedgerKey: Work], isKnown: Bool, damaged: [DamagedFile] = [], failure: StorageFailure? = nil,
    givenUp: Set<LedgerKey> = [], attempt: Int = 1
  ) {
    (self.undecided, self.isKnown, self.damaged) = (undecided, isKnown, damaged)
    (self.failure, self.givenUp, self.attempt) = (failure, givenUp, attempt)
  }

  /// The requests to the ledger.
  var requests: Set<LedgerEffect<Work>.Request> {
    if failure != nil { return [] }
    var requests = Set(givenUp.map { LedgerEffect<Work>.Request.forget(key: $0, attempt: attempt) })
    if !isKnown { requests.insert(.open(attempt: attempt)) }
    return requests
  }

  /// Applies an event of the ``LedgerEffect``.
  public mutating func reduce(_ event: LedgerEvent<Work>) {
    switch event {
    case .interrupted(let work, let key): undecided[key] = work
    case .opened(let damaged): (isKnown, self.damaged) = (true, damaged)
    case .forgotten(let key): givenUp.remove(key)
    case .failed(let failure): self.failure = failure
    }
  }

  /// Records that the work is decided about in another way than by ``giveUp(_:)``: the state asks for it again, as a
  /// later attempt.
  public mutating func decided(_ key: LedgerKey) { undecided[key] = nil }

  /// Makes the ledger forget interrupted work, as if it had ended.
  public mutating func giveUp(_ key: LedgerKey) {
    undecided[key] = nil
    givenUp.insert(key)
  }

  /// Asks for the failed access again.
  public mutating func retry() {
    guard failure != nil else { return }
    failure = nil
    attempt += 1
  }
}

extension Interruptions: Codable where Work: Codable {}
