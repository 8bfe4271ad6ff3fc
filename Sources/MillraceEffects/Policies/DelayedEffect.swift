import Millrace

/// An effect whose runs begin a while after they were asked for. Made by `delayed(by:clock:)`.
public struct DelayedEffect<Base: EffectComponent, C: Clock>: EffectComponent where C.Duration == Duration {
  private let base: Base
  private let delay: Duration
  private let clock: C

  init(_ base: Base, _ delay: Duration, _ clock: C) {
    self.base = base
    self.delay = delay
    self.clock = clock
  }

  public func id(of request: Base.Request) -> Base.ID { base.id(of: request) }
  public func requests(in state: Base.State) -> Set<Base.Request> { base.requests(in: state) }
  public var replacement: RequestReplacement { base.replacement }

  public func action(for failure: Base.Failure, of request: Base.Request) -> Base.Action {
    base.action(for: failure, of: request)
  }

  public func run(_ request: Base.Request, send: Send<Base.Action>) async throws(Base.Failure) {
    guard await clock.waits(delay) else { return }
    try await base.run(request, send: send)
  }

  public func run(_ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>) async throws(Base
    .Failure)
  {
    guard await clock.waits(delay) else { return }
    try await base.run(requests, send: send)
  }
}

extension EffectComponent {
  /// This effect with each run's body beginning `delay` after the run was started.
  ///
  /// A run that is stopped before never begins its body. Zero or less delays nothing.
  public func delayed<C: Clock>(by delay: Duration, clock: C = ContinuousClock()) -> DelayedEffect<Self, C>
  where C.Duration == Duration {
    DelayedEffect(self, delay, clock)
  }
}

extension Clock where Duration == Swift.Duration {
  /// Waits, and returns whether to go on: not if the task was cancelled. A clock that fails ends the wait.
  func waits(_ delay: Duration) async -> Bool {
    if delay > .zero { try? await sleep(for: min(delay, TimerLimits.longestWait)) }
    return !Task.isCancelled
  }
}
