import Millrace

/// Runs the timers that the state asks for.
///
/// ```swift
/// struct Feed: Sendable {
///   var timers: Set<TimerRequest<String, ContinuousClock.Instant>> = [.init("refresh", .every(.seconds(30)))]
/// }
/// ```
///
/// ```swift
/// store.connect(
///   TimerEffect<String, ContinuousClock>(), to: \.timers, action: FeedAction.timer, background: true)
/// ```
///
/// A repeating timer does not drift: due instants are counted from the start of its run. A timer whose request
/// changes starts over. What cannot be served is answered by ``TimerEvent/refused(_:_:)``; nothing traps and
/// nothing spins. The next tick waits until this one has been reduced.
public struct TimerEffect<ID: Hashable & Sendable, C: Clock>: EffectComponent
where C.Duration == Duration, C.Instant: Sendable {
  /// A timer on the effect's clock.
  public typealias Request = TimerRequest<ID, C.Instant>

  private let clock: C

  /// Runs timers on `clock`; give a test clock to decide in a test when they fire.
  public init(clock: C) { self.clock = clock }

  /// A timer is known by its own `id`.
  public func id(of timer: Request) -> ID { timer.id }

  /// Every timer in the state. If two share an `id`, the store reports it.
  public func requests(in timers: Set<Request>) -> Set<Request> { timers }

  /// Sends a tick whenever one is due, until there are no more or the run is stopped.
  public func run(_ timer: Request, send: Send<TimerEvent<ID, C.Instant>>) async {
    do throws(TimerRefusal) {
      var ticks = try TickCounter(timer.schedule, tolerance: timer.tolerance, start: clock.now)
      while let due = ticks.next {
        guard try await sleep(until: due, tolerance: timer.tolerance) else { return }
        guard let tick = ticks.woke(at: clock.now) else { return }
        guard await send(.fired(timer.id, tick)) == .reduced else { return }
      }
    } catch {
      await send(.refused(timer.id, error))
    }
  }

  /// Whether the sleep ended in time, rather than by cancellation.
  private func sleep(until due: C.Instant, tolerance: Duration?) async throws(TimerRefusal) -> Bool {
    do {
      try await clock.sleep(until: due, tolerance: tolerance)
      return !Task.isCancelled
    } catch {
      if Task.isCancelled { return false }
      throw .clockFailed(String(describing: error))
    }
  }
}

extension TimerEffect where C == ContinuousClock {
  /// Runs timers on the continuous clock, which goes on while the machine sleeps.
  public init() { self.init(clock: ContinuousClock()) }
}
