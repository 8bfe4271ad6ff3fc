import Millrace

/// An effect that serves a request after it has stayed the same for a time. Made by
/// `debounced(for:leading:atMost:clock:)`.
public struct DebouncedEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  /// The wrapped effect.
  public let base: Base
  let clock: C
  let quiet: @Sendable (Base.Request) -> Duration
  /// A burst without requests.
  let unused: DebounceBurst
  /// The burst of all requests, if they are not handed over.
  let burst: SharedBurst<C>

  /// Waits until the request has stayed the same, then runs the wrapped effect.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    guard !Task.isCancelled else { return }
    guard replacement == .handOver else {
      let now = clock.now
      let wait = burst.requestArrived(at: now, quiet: quiet(requests.first))
      guard await clock.waits(wait, from: now, for: "\(wait.text) of a debounce") else { return }
      burst.requestBegan()
      return try await runBase(requests, send: send)
    }
    try await runBase(of: requests, send: send) { [self] sink in
      await Settling(burst: SharedBurst(unused, on: clock), quiet: quiet, clock: clock)
        .forward(requests, to: sink)
    }
  }
}

extension EffectComponent {
  /// Returns this effect with each request served after it has stayed the same for `quiet`.
  ///
  /// If a changed request starts a new run, the old run never begins if it was still waiting. If the request is handed
  /// over, as in a `StorageEffect`, the run gets the newest value once no other has followed for `quiet`. If the run is
  /// stopped before that, the waiting value is lost.
  ///
  /// ```swift
  /// let search = SearchEffect(client: client).debounced(for: .milliseconds(300))
  /// store.connect(search, to: \.search, action: AppAction.search)
  /// ```
  ///
  /// With `leading`, the first request of a burst is served at once and later ones wait. With `atMost`, requests that
  /// keep changing are not delayed for ever: the newest is served at the latest that time after the first waiting one.
  ///
  /// ```swift
  /// let suggestions = SearchEffect(client: client)
  ///   .debounced(for: .milliseconds(300), leading: true, atMost: .seconds(2))
  /// store.connect(suggestions, to: \.search, action: AppAction.search)
  /// ```
  ///
  /// A burst is a series of requests, each of which arrives less than `quiet` after the previous one. With `leading` or
  /// `atMost`, all requests of this effect belong to one series. For a separate series for each element of a
  /// collection, make the effect in `connectEach`.
  ///
  /// - Parameters:
  ///   - quiet: the time for which a request must stay the same. Zero or less debounces nothing.
  ///   - leading: whether the first request of a burst is served at once.
  ///   - longest: the longest wait in a burst; unbounded if `nil`.
  ///   - clock: the clock of the waits.
  public func debounced<C: Clock>(
    for quiet: Duration, leading: Bool = false, atMost longest: Duration? = nil, clock: C = ContinuousClock()
  ) -> DebouncedEffect<Self, C> where C.Duration == Duration {
    debounced(for: { _ in quiet }, leading: leading, atMost: longest, clock: clock)
  }

  /// Returns this effect with each request served after it has stayed the same for the time that `quiet` returns.
  ///
  /// Works like the method that takes a duration, but the wait depends on the request. Here a single letter waits
  /// longer than a word:
  ///
  /// ```swift
  /// let search = SearchEffect(client: client)
  ///   .debounced(for: { query in .milliseconds(query.count < 3 ? 800 : 200) })
  /// store.connect(search, to: \.search, action: AppAction.search)
  /// ```
  ///
  /// - Parameters:
  ///   - quiet: returns the time for which a request must stay the same. Zero or less debounces nothing. Pure; called
  ///     in the task of the run.
  ///   - leading: whether the first request of a burst is served at once.
  ///   - longest: the longest wait in a burst; unbounded if `nil`.
  ///   - clock: the clock of the waits.
  public func debounced<C: Clock>(
    for quiet: @escaping @Sendable (Request) -> Duration, leading: Bool = false,
    atMost longest: Duration? = nil, clock: C = ContinuousClock()
  ) -> DebouncedEffect<Self, C> where C.Duration == Duration {
    let unused = DebounceBurst(isLeading: leading, longest: longest)
    return DebouncedEffect(
      base: self, clock: clock, quiet: quiet, unused: unused, burst: SharedBurst(unused, on: clock))
  }
}
