/// The states of a ``CircuitBreaker`` as an asynchronous sequence.
public struct CircuitStates: AsyncSequence, Sendable {
  /// A state of the breaker.
  public typealias Element = CircuitState
  /// The sequence never fails.
  public typealias Failure = Never

  let breaker: CircuitBreaker

  /// Returns an iterator that begins with the current state.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(breaker: breaker, changes: breaker.changes().makeAsyncIterator())
  }

  /// Iterates over the states of a breaker.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let breaker: CircuitBreaker
    fileprivate var changes: AsyncStream<Void>.AsyncIterator
    fileprivate var last: CircuitState?

    /// Returns the next state that differs from the last one; `nil` when the task is cancelled.
    public mutating func next() async -> CircuitState? {
      while await changes.next() != nil {
        let state = breaker.state
        if state == last { continue }
        last = state
        return state
      }
      return nil
    }
  }
}
