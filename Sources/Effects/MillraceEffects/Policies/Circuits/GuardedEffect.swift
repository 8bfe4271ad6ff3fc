import Millrace

/// An effect behind a circuit breaker. Made by `guarded(by:counting:action:)`, `guarded(by:counting:failure:)` and
/// their variants with `per:`.
public struct GuardedEffect<Base: EffectComponent>: PolicyEffect {
  /// The wrapped effect.
  public let base: Base
  let breaker: @Sendable (Base.Request) -> CircuitBreaker
  /// The key of a request's breaker; `nil` if there is one breaker for all requests.
  let key: @Sendable (Base.Request) -> EntranceName?
  let isCounted: @Sendable (Base.Failure) -> Bool
  /// The action that a refused run sends, or the failure by which it ends.
  let answer: @Sendable (CircuitRefusal, Base.Request) -> Result<Base.Action, Base.Failure>

  /// Runs the wrapped effect if the breaker allows it, and reports the result to the breaker.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    let breaker = breaker(requests.first)
    switch breaker.requestArrived() {
    case .failure(let refusal):
      await send(try answer(refusal, requests.first).get())
    case .success(let pass):
      let isReduced = Lock(false)  // whether the run's last action was reduced
      let watched = send.passing { deliver in
        let delivery = await deliver()
        isReduced.withLock { $0 = delivery == .reduced }
        return delivery
      }
      do throws(Base.Failure) {
        try await runBase(requests, send: watched)
        // The result may have made the request leave the state, which stops the run although its work is done. An
        // abandoned attempt of the same run counts as stopped, since its last action was not reduced.
        let isAnswered = isReduced.withLock(\.self) && isCurrentRunAnswered()
        breaker.ended(pass, Task.isCancelled && !isAnswered ? .stopped : .well)
      } catch {
        breaker.ended(pass, Task.isCancelled ? .stopped : isCounted(error) ? .failed : .well)
        throw error
      }
    }
  }
}

extension EffectComponent {
  /// Returns this effect with requests refused while `breaker` is open. A refused request sends `action` instead.
  ///
  /// A refused run ends at once and does not fail. Like any finished request, it is not run again while it stays asked
  /// for: to try later, the request must differ. Policies around this one treat a refusal as a success, which ends the
  /// backoff of `polled(every:backingOff:)`. If a refusal should be a failure there, use
  /// `guarded(by:counting:failure:)`.
  ///
  /// ```swift
  /// let pages = HTTPEffect().mapped(AppAction.http)
  ///   .guarded(by: breaker, counting: \.isTransient) { refusal, request in .refused(request, refusal) }
  /// store.connect(pages, to: \.downloads)
  /// ```
  ///
  /// A run that was stopped before it had a result counts neither as a failure nor as a success. Put the breaker around
  /// `timingOut(after:clock:failure:)`, so that a run that takes too long counts. Put it inside
  /// `retried(times:by:clock:when:action:)`, so that each attempt counts and the retries end when the breaker opens.
  /// Unsuitable for long runs such as a feed: the breaker learns about the service only when a run ends.
  ///
  /// - Parameters:
  ///   - breaker: the breaker, which effects may share.
  ///   - isCounted: whether a failure means that the service is in trouble; by default every failure does. Other
  ///     failures mean that the service works, such as the answer that a page does not exist. Called in the task of the
  ///     run.
  ///   - action: makes the action for a refused request. Called in the task of the run.
  public func guarded(
    by breaker: CircuitBreaker, counting isCounted: @escaping @Sendable (Failure) -> Bool = { _ in true },
    action: @escaping @Sendable (CircuitRefusal, Request) -> Action
  ) -> GuardedEffect<Self> {
    GuardedEffect(
      base: self, breaker: { _ in breaker }, key: { _ in nil }, isCounted: isCounted,
      answer: { .success(action($0, $1)) })
  }

  /// Returns this effect with requests that fail at once while `breaker` is open.
  ///
  /// Works like `guarded(by:counting:action:)`, but a refusal is a failure of the run, which policies around this one
  /// see.
  public func guarded(
    by breaker: CircuitBreaker, counting isCounted: @escaping @Sendable (Failure) -> Bool = { _ in true },
    failure: @escaping @Sendable (CircuitRefusal, Request) -> Failure
  ) -> GuardedEffect<Self> {
    GuardedEffect(
      base: self, breaker: { _ in breaker }, key: { _ in nil }, isCounted: isCounted,
      answer: { .failure(failure($0, $1)) })
  }

  /// Returns this effect with requests refused while the breaker of their key is open. A refused request sends `action`
  /// instead.
  ///
  /// Works like `guarded(by:counting:action:)`, separately for each key: a failing host does not block requests to
  /// others.
  ///
  /// ```swift
  /// let breakers = CircuitBreakers { (host: String) in
  ///   CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))
  /// }
  /// let pages = HTTPEffect().mapped(AppAction.http).guarded(
  ///   by: breakers, per: { URL(string: $0.url)?.host() ?? "" },
  ///   action: { refusal, request in .refused(request, refusal) })
  /// store.connect(pages, to: \.downloads)
  /// ```
  ///
  /// - Parameters:
  ///   - breakers: the breakers, which effects may share.
  ///   - key: returns the key of a request. Called in the task of the run.
  ///   - isCounted: whether a failure means that the service is in trouble; by default every failure does. Called in
  ///     the task of the run.
  ///   - action: makes the action for a refused request. Called in the task of the run.
  public func guarded<Key>(
    by breakers: CircuitBreakers<Key>, per key: @escaping @Sendable (Request) -> Key,
    counting isCounted: @escaping @Sendable (Failure) -> Bool = { _ in true },
    action: @escaping @Sendable (CircuitRefusal, Request) -> Action
  ) -> GuardedEffect<Self> {
    GuardedEffect(
      base: self, breaker: { breakers[key($0)] }, key: { EntranceName(key($0)) }, isCounted: isCounted,
      answer: { .success(action($0, $1)) })
  }

  /// Returns this effect with requests that fail at once while the breaker of their key is open.
  ///
  /// Works like `guarded(by:counting:failure:)`, separately for each key.
  public func guarded<Key>(
    by breakers: CircuitBreakers<Key>, per key: @escaping @Sendable (Request) -> Key,
    counting isCounted: @escaping @Sendable (Failure) -> Bool = { _ in true },
    failure: @escaping @Sendable (CircuitRefusal, Request) -> Failure
  ) -> GuardedEffect<Self> {
    GuardedEffect(
      base: self, breaker: { breakers[key($0)] }, key: { EntranceName(key($0)) }, isCounted: isCounted,
      answer: { .failure(failure($0, $1)) })
  }
}
