import MillraceSpelling

/// The state of a ``CircuitBreaker``.
public enum CircuitState: Codable, Hashable, Sendable {
  /// Every request passes.
  case closed
  /// Every request is refused, until one arrives after the reset timeout.
  case open
  /// The trials pass; other requests are refused until the trials have ended.
  case halfOpen
}

/// Why a ``CircuitBreaker`` refused a request.
@nonexhaustive public enum CircuitRefusal: Error, Codable, Hashable, Sendable {
  /// The breaker is open, and lets a request pass after this time.
  case open(retryAfter: Duration)
  /// The breaker is half open, and other requests are its trials.
  case halfOpen
}

extension CircuitRefusal: RetryAfterProviding {
  /// The time until the breaker lets a request pass, if known.
  public var retryDelay: Duration? {
    if case .open(let retryAfter) = self { retryAfter } else { nil }
  }
}

extension CircuitRefusal: CustomStringConvertible {
  /// The refusal in words, such as `not tried for another 9.8 s`.
  public var description: String {
    switch self {
    case .open(let wait): "not tried for another \(wait.text)"
    case .halfOpen: "not tried before another try has ended"
    }
  }
}

extension CircuitRefusal: BareCases {
  package static let bareCases: [Self: String] = [.halfOpen: "halfOpen"]
}
