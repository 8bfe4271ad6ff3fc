import Millrace

/// An attempt to make a long connection, which a breaker has let through: what counts is whether the connection was made,
/// not how long it lasted. The breaker is told once how the attempt has ended, and ignores what is said later.
package struct CircuitAttempt: Sendable {
  private let pass: Lock<Circuit.Pass?>
  private let breaker: CircuitBreaker

  /// Asks a breaker.
  package init(_ breaker: CircuitBreaker) throws(CircuitRefusal) {
    pass = Lock(try breaker.requestArrived().get())
    self.breaker = breaker
  }

  /// There is a connection.
  package func connected() { end(.well) }

  /// There is none, for a reason that says that the other side is in trouble, or not.
  package func failed(counts: Bool) { end(counts ? .failed : .well) }

  /// The attempt was given up.
  package func stopped() { end(.stopped) }

  private func end(_ outcome: Circuit.Outcome) {
    let last = pass.withLock { pass in
      defer { pass = nil }
      return pass
    }
    if let last { breaker.ended(last, outcome) }
  }
}
