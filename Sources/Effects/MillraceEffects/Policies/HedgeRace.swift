/// Decides which attempts of a hedged run begin, and which one wins. Pure. Attempts are counted from 1.
struct HedgeRace {
  enum Ending: Equatable {
    /// Other attempts are in progress.
    case continues
    /// The next attempt begins at once.
    case begins(Int)
    /// The run ends in the same way as this attempt.
    case isOver
  }

  private let attempts: Int
  private var begun = 0
  private var inProgress: Set<Int> = []
  /// The attempt that has answered first.
  private var winner: Int?

  init(attempts: Int) { self.attempts = attempts }

  /// An attempt has not answered within the delay. Returns the attempt to begin beside it.
  mutating func waited(after number: Int) -> Int? {
    // If another attempt has begun since, that one has a delay of its own.
    number == begun && winner == nil ? next() : nil
  }

  /// An attempt sends an action.
  ///
  /// - Returns: the attempts to stop; `nil` if another one has won, and the action is to be dropped.
  mutating func sent(by number: Int) -> Set<Int>? {
    if winner == number { return [] }
    guard winner == nil, inProgress.contains(number) else { return nil }
    winner = number
    return inProgress.subtracting([number])
  }

  /// An attempt has returned or thrown.
  ///
  /// - Parameter isStopped: whether the run is being stopped.
  mutating func ended(_ number: Int, failed: Bool, isStopped: Bool) -> Ending {
    inProgress.remove(number)
    if let winner { return winner == number ? .isOver : .continues }
    if !failed {
      winner = number
      return .isOver
    }
    if !inProgress.isEmpty { return .continues }
    return (isStopped ? nil : next()).map { .begins($0) } ?? .isOver
  }

  /// Begins the next attempt, if there is one.
  mutating func next() -> Int? {
    guard begun < attempts else { return nil }
    begun += 1
    inProgress.insert(begun)
    return begun
  }
}
