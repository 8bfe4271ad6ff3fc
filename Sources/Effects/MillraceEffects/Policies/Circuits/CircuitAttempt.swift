import Millrace

/// An attempt to make a long connection that a breaker has let pass. What counts is whether the connection was made,
/// not how long it lasted. The first reported end counts, later ones are ignored.
package struct CircuitAttempt: Sendable {
  private let pass: Lock<Circuit.Pass?>
  private let breaker: CircuitBreaker?

  /// Asks a breaker to pass, if there is one.
  package init(_ breaker: CircuitBreaker?) throws(CircuitRefusal) {
    pass = Lock(try breaker?.requestArrived().get())
    self.breaker = breaker
  }

  /// The connection was made.
  package func connected() { end(.well) }

  /// The connection failed. `counts` says whether the reason means that the service is in trouble.
  package func failed(counts: Bool) { end(counts ? .failed : .well) }

  /// The attempt was abandoned.
  package func stopped() { end(.stopped) }

  private func end(_ outcome: RunEnding) {
    if let last = pass.withLock({ $0.take() }) { breaker?.ended(last, outcome) }
  }
}
