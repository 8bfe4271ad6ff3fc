import Millrace

/// Ticks while the timer runs, without drifting: each tick is due one interval after the previous one was due.
public struct TickEffect<C: Clock<Duration>>: EffectComponent {
  private let clock: C
  private let interval: Duration

  public init(clock: C, interval: Duration) {
    self.clock = clock
    self.interval = interval
  }

  /// The request to tick. All such requests are equal.
  public struct Tick: Hashable, Sendable {}

  public func requests(in state: LonelyTimer.State) -> Set<Tick> {
    state.isRunning ? [Tick()] : []
  }

  public func run(_ tick: Tick, send: Send<LonelyTimer.Action>) async {
    var due = clock.now.advanced(by: interval)
    while (try? await clock.sleep(until: due, tolerance: nil)) != nil {
      guard await send(.ticked) == .reduced else { return }
      due = due.advanced(by: interval)
    }
  }
}
