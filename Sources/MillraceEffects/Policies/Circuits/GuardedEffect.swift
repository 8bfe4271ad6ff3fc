import Millrace

/// An effect behind a circuit breaker. Made by `guarded(by:counting:action:)` and `guarded(by:counting:failure:)`.
public struct GuardedEffect<Base: EffectComponent>: PolicyEffect {
  /// The effect within.
  public let base: Base
  private let breaker: CircuitBreaker
  private let isCounted: @Sendable (Base.Failure) -> Bool
  private let answer: PolicyAnswer<Base, CircuitRefusal>

  init(
    _ base: Base, _ breaker: CircuitBreaker, _ isCounted: @escaping @Sendable (Base.Failure) -> Bool,
    _ answer: PolicyAnswer<Base, CircuitRefusal>
  ) {
    self.base = base
    self.breaker = breaker
    self.isCounted = isCounted
    self.answer = answer
  }

  /// Runs the effect within if the breaker lets it, and tells the breaker how that ended.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    switch breaker.requestArrived() {
    case .failure(let refusal):
      switch answer {
      case .action(let action): await send(action(refusal, requests.first))
      case .failure(let failure): throw failure(refusal, requests.first)
      }
    case .success(let pass):
      do throws(Base.Failure) {
        try await runBase(requests, send: send)
        breaker.ended(pass, Task.isCancelled ? .stopped : .well)
      } catch {
        breaker.ended(pass, Task.isCancelled ? .stopped : isCounted(error) ? .failed : .well)
        throw error
      }
    }
  }
}

extension EffectComponent {
  /// This effect with requests refused while `breaker` is open, and `action` sent in their place.
  ///
  /// A refused run ends at once and does not fail. As any finished request it is not run again while it stays asked
  /// for: to try later, the request must differ.
  ///
  /// ```swift
  /// let pages = HTTPEffect().mapped(AppAction.http)
  ///   .guarded(by: breaker, counting: \.isTransient) { refusal, request in .refused(request, refusal) }
  /// store.connect(pages, to: \.downloads)
  /// ```
  ///
  /// A run that was stopped counts neither as a failure nor as going well. Put the breaker around
  /// `timeout(_:clock:failure:)` to have a run count that takes too long, and within
  /// `retried(times:by:clock:when:action:)` to have every attempt count and the retries end when it opens. Unfit for
  /// runs that go on for long, as a feed: the breaker learns how things are only when one ends.
  ///
  /// - Parameters:
  ///   - breaker: What decides; it may be shared.
  ///   - isCounted: Whether a failure says that the thing itself is in trouble, by default each. One that is not counted
  ///     tells that it is well, as an answer that a page does not exist. Called in the task of the run.
  ///   - action: What the state is told of a request that is refused. Called in the task of the run.
  public func guarded(
    by breaker: CircuitBreaker, counting isCounted: @escaping @Sendable (Failure) -> Bool = { _ in true },
    action: @escaping @Sendable (CircuitRefusal, Request) -> Action
  ) -> GuardedEffect<Self> {
    GuardedEffect(self, breaker, isCounted, .action(action))
  }

  /// This effect with requests failing at once while `breaker` is open.
  ///
  /// As `guarded(by:counting:action:)`, but that a refusal is a failure of the run, which policies around this one see.
  public func guarded(
    by breaker: CircuitBreaker, counting isCounted: @escaping @Sendable (Failure) -> Bool = { _ in true },
    failure: @escaping @Sendable (CircuitRefusal, Request) -> Failure
  ) -> GuardedEffect<Self> {
    GuardedEffect(self, breaker, isCounted, .failure(failure))
  }
}
