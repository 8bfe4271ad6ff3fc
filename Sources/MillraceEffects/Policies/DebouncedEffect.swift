import Millrace

/// An effect that serves a request once it has stayed the same for a while. Made by
/// `debounced(for:leading:atMost:clock:)`.
public struct DebouncedEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  /// The effect within.
  public let base: Base
  private let clock: C
  private let new: @Sendable () -> DebounceBurst<C.Instant>
  /// The burst of all requests that are not handed over.
  private let burst: Lock<DebounceBurst<C.Instant>>

  init(_ base: Base, _ clock: C, _ new: @escaping @Sendable () -> DebounceBurst<C.Instant>) {
    self.base = base
    self.clock = clock
    self.new = new
    burst = Lock(new())
  }

  /// A changed request is a new run, whose wait begins anew; or it is handed over once it has stayed the same.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    guard !Task.isCancelled else { return }
    guard replacement == .handOver else {
      let now = clock.now
      let due = burst.withLock { $0.requestArrived(at: now) }
      guard await clock.waits(now.duration(to: due), from: now) else { return }
      burst.withLock { $0.requestBegan() }
      return try await runBase(requests, send: send)
    }
    try await runBase(send: send) { [new, clock] sink in
      await Settling(burst: new(), clock: clock).forward(requests, to: sink)
    }
  }
}

extension EffectComponent {
  /// This effect with each request served once it has stayed the same for `quiet`.
  ///
  /// Where a changed request starts a new run, the old one never begins if it was still waiting. Where it is
  /// handed over, as in a `StorageEffect`, the run gets the newest value when no other has come for `quiet`.
  /// Whoever stops the run within that time loses the value that waits.
  ///
  /// ```swift
  /// let search = SearchEffect(client: client).debounced(for: .milliseconds(300))
  /// store.connect(search, to: \.search, action: AppAction.search)
  /// ```
  ///
  /// With `leading`, the first of a burst begins at once; those that follow it wait. With `atMost`, requests that keep
  /// changing are not put off for ever: of those that wait, the newest begins that long after the first came.
  ///
  /// ```swift
  /// let suggestions = SearchEffect(client: client)
  ///   .debounced(for: .milliseconds(300), leading: true, atMost: .seconds(2))
  /// store.connect(suggestions, to: \.search, action: AppAction.search)
  /// ```
  ///
  /// A burst is a row of requests of which none comes `quiet` or more after the one before. With `leading` or `atMost`
  /// it is that of all requests of this effect; for one that counts by itself in each element of a collection, make the
  /// effect in `connectEach`.
  ///
  /// - Parameters:
  ///   - quiet: How long a request is to stay the same. Zero or less debounces nothing.
  ///   - leading: Whether the first request of a burst begins at once.
  ///   - longest: The longest that a burst is waited for; without bound if `nil`.
  ///   - clock: What the waits are measured by.
  public func debounced<C: Clock>(
    for quiet: Duration, leading: Bool = false, atMost longest: Duration? = nil, clock: C = ContinuousClock()
  ) -> DebouncedEffect<Self, C> where C.Duration == Duration {
    DebouncedEffect(self, clock) { DebounceBurst(quiet: quiet, isLeading: leading, longest: longest) }
  }
}
