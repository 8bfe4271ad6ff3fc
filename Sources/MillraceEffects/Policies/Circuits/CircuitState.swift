/// The state of a ``CircuitBreaker``.
public enum CircuitState: Hashable, Sendable {
  /// Everyone is let through.
  case closed
  /// Everyone is refused, until the reset timeout is over and a request comes.
  case open
  /// One at a time is let through, as a trial.
  case halfOpen
}

/// Why a ``CircuitBreaker`` let a request not through.
public enum CircuitRefusal: Error, Hashable, Sendable {
  /// It is open, and will let one through after this time.
  case open(retryAfter: Duration)
  /// It is half open, and another request is its trial.
  case trialUnderWay
}

extension CircuitRefusal: RetryDelaying {
  /// Until the breaker lets one through, if that is known.
  public var retryDelay: Duration? {
    switch self {
    case .open(let retryAfter): retryAfter
    case .trialUnderWay: nil
    }
  }
}
