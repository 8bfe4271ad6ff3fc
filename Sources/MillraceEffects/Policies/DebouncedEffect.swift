import Millrace

/// An effect that serves a request once it has stayed the same for a while. Made by `debounced(for:clock:)`.
public struct DebouncedEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  /// The effect within.
  public let base: Base
  private let quiet: Duration
  private let clock: C

  init(_ base: Base, _ quiet: Duration, _ clock: C) {
    self.base = base
    self.quiet = quiet
    self.clock = clock
  }

  /// A changed request is a new run, whose wait begins anew; or it is handed over once it has stayed the same.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    guard replacement == .handOver else {
      guard await clock.waits(quiet) else { return }
      return try await runBase(requests, send: send)
    }
    try await runBase(send: send) { [quiet, clock] sink in
      await Settling(quiet: quiet, clock: clock).forward(requests, to: sink)
    }
  }
}

extension EffectComponent {
  /// This effect with each request served once it has stayed the same for `quiet`.
  ///
  /// Where a changed request starts a new run, the old one never begins if it was still waiting. Where it is
  /// handed over, as in a ``StorageEffect``, the run gets the newest value when no other has come for `quiet`.
  /// Whoever stops the run within that time loses the value that waits.
  ///
  /// ```swift
  /// let search = SearchEffect(client: client).debounced(for: .milliseconds(300))
  /// store.connect(search, to: \.search, action: AppAction.search)
  /// ```
  public func debounced<C: Clock>(for quiet: Duration, clock: C = ContinuousClock()) -> DebouncedEffect<
    Self, C
  >
  where C.Duration == Duration {
    DebouncedEffect(self, quiet, clock)
  }
}
