import Millrace

/// Runs the timers that the state asks for.
///
/// ```swift
/// struct Feed: Sendable {
///   var timers: Set<TimerRequest<String>> = [TimerRequest("refresh", .every(.seconds(30)))]
/// }
/// ```
///
/// ```swift
/// store.connect(TimerEffect(), to: \.timers, action: FeedAction.timer, longRunning: true)
/// ```
///
/// A repeating timer does not drift: ticks are counted from the start of its run. A timer whose request changes starts
/// over. A request that cannot be served is answered by ``TimerEvent/refused(_:_:)``; it does not trap. The next tick
/// waits until the previous one has been reduced. Requests and events contain no clock instant, so a feature is the
/// same with every clock.
public struct TimerEffect<ID: Hashable & Sendable>: EffectComponent {
  private let clock: any Clock<Duration>

  /// Makes an effect that runs timers on `clock`: by default one that continues while the machine sleeps. In a test,
  /// pass a test clock to decide when timers fire.
  public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  /// Returns the `id` of the timer.
  public func id(of timer: TimerRequest<ID>) -> ID { timer.id }

  /// Returns every timer in the state. If two share an `id`, the store reports it.
  public func requests(in timers: Set<TimerRequest<ID>>) -> Set<TimerRequest<ID>> { timers }

  /// Sends a tick whenever one is due, until the schedule ends or the run is stopped.
  public func run(_ timer: TimerRequest<ID>, send: Send<TimerEvent<ID>>) async {
    await run(timer, on: clock, send)
  }

  private func run<C: Clock>(
    _ timer: TimerRequest<ID>, on clock: C, _ send: Send<TimerEvent<ID>>
  ) async where C.Duration == Duration {
    let start = clock.now
    do throws(TimerRefusal) {
      var ticks = try TickCounter(timer.schedule, tolerance: timer.tolerance)
      while let due = ticks.next {
        guard try await Self.sleep(until: start.advanced(by: due), on: clock, timer.tolerance) else { return }
        guard let tick = ticks.woke(at: start.duration(to: clock.now)) else { return }
        guard await send(.fired(timer.id, tick)) == .reduced else { return }
      }
    } catch {
      await send(.refused(timer.id, error))
    }
  }

  /// Whether the sleep ended by the clock and not by cancellation.
  private static func sleep<C: Clock>(
    until due: C.Instant, on clock: C, _ tolerance: Duration?
  ) async throws(TimerRefusal) -> Bool where C.Duration == Duration {
    do {
      try await withWaitReason("the next tick") { try await clock.sleep(until: due, tolerance: tolerance) }
      return !Task.isCancelled
    } catch {
      if Task.isCancelled { return false }
      throw .clockFailed(String(describing: error))
    }
  }
}
