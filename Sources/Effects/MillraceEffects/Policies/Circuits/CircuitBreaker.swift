import Millrace

/// Refuses requests to something that has failed repeatedly, until it has had time to recover.
///
/// While the breaker is closed, every request passes. It opens after a number of consecutive failures, or when too many
/// of the last runs, or of the runs within a time window, have failed. Then it refuses every request. The first
/// requests after the reset timeout are trials, by default one. Meanwhile the breaker is half open and refuses other
/// requests. If all trials succeed the breaker closes; if one fails it opens again.
///
/// With `slowAfter`, a run that takes that long counts as a failure, whatever its result.
///
/// Several effects that depend on one service may share a breaker:
///
/// ```swift
/// let breaker = CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))
/// let uploads = HTTPEffect().guarded(by: breaker, failure: { _, _ in .cannotConnect("not tried") })
/// let downloads = HTTPEffect().guarded(by: breaker, failure: { _, _ in .cannotConnect("not tried") })
/// ```
///
/// An effect brings its state into the store:
///
/// ```swift
/// store.connect(when: { $0.isWatchingCircuit ? "circuit" : nil }, longRunning: true) { _, send in
///   for await state in breaker.states { await send(.circuit(state)) }
/// }
/// ```
///
/// A breaker keeps no timer: it becomes half open only with a request after the timeout. All members can be used from
/// any thread.
public final class CircuitBreaker: Sendable {
  private struct Shared {
    var circuit: Circuit
    var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var lastWatcher: UInt64 = 0
  }

  /// The initial circuit.
  let unused: Circuit
  private let shared: Lock<Shared>
  private let now: @Sendable () -> Duration

  /// Makes a closed breaker.
  ///
  /// - Parameters:
  ///   - failureThreshold: the number of failures in a row that opens it. Less than 1 counts as 1.
  ///   - resetTimeout: the time for which an open breaker refuses requests. Less than zero counts as zero.
  ///   - slowAfter: the longest time of a run that does not count as a failure, from when it was let through. By
  ///     default a run may take any time. A run counts only once it has ended: end a run that hangs by a timeout.
  ///   - trials: the number of trials, which may run concurrently. Less than 1 counts as 1.
  ///   - clock: the clock of the timeout.
  public convenience init<C: Clock>(
    failureThreshold: Int, resetTimeout: Duration, slowAfter: Duration? = nil, trials: Int = 1,
    clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.init(CircuitTally(failuresInARow: failureThreshold), resetTimeout, slowAfter, trials, clock)
  }

  /// Makes a closed breaker that opens when too large a share of the last runs has failed.
  ///
  /// Use it for a service that is used often and fails now and then: if every third run succeeds, there are never ten
  /// consecutive failures.
  ///
  /// ```swift
  /// let breaker = CircuitBreaker(failureRate: 0.5, ofLast: 20, minimum: 10, resetTimeout: .seconds(30))
  /// ```
  ///
  /// - Parameters:
  ///   - rate: the share of failures, from 0 to 1, that opens it. With 0 the first failure opens it.
  ///   - window: the number of last runs that count; less than 1 counts as 1, more than a million as a million. Takes
  ///     one byte each.
  ///   - minimum: the number of runs that must have ended before it opens. Less than 1 counts as 1, more than the
  ///     window as the window.
  ///   - resetTimeout: the time for which an open breaker refuses requests. Less than zero counts as zero.
  ///   - slowAfter: the longest time of a run that does not count as a failure, from when it was let through. By
  ///     default a run may take any time. A run counts only once it has ended: end a run that hangs by a timeout.
  ///   - trials: the number of trials, which may run concurrently. Less than 1 counts as 1.
  ///   - clock: the clock of the timeout.
  public convenience init<C: Clock>(
    failureRate rate: Double, ofLast window: Int, minimum: Int, resetTimeout: Duration,
    slowAfter: Duration? = nil, trials: Int = 1, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.init(
      CircuitTally(failureRate: rate, ofLast: window, minimum: minimum), resetTimeout, slowAfter, trials,
      clock)
  }

  /// Makes a closed breaker that opens when too large a share of the runs within a sliding time window has failed.
  ///
  /// Use it if the number of runs varies a lot: yesterday's failures say nothing about the service now.
  ///
  /// ```swift
  /// let breaker = CircuitBreaker(
  ///   failureRate: 0.5, within: .seconds(60), minimum: 10, resetTimeout: .seconds(30),
  ///   slowAfter: .seconds(2), trials: 3)
  /// ```
  ///
  /// - Parameters:
  ///   - rate: the share of failures, from 0 to 1, that opens it. With 0 the first failure opens it.
  ///   - span: the time for which a run counts after it has ended. Runs that end within a 64th of that time are counted
  ///     together, so that memory is bounded. Less than zero counts as zero.
  ///   - minimum: the number of runs that must have ended within that time before it opens. Less than 1 counts as 1.
  ///   - resetTimeout: the time for which an open breaker refuses requests. Less than zero counts as zero.
  ///   - slowAfter: the longest time of a run that does not count as a failure, from when it was let through. By
  ///     default a run may take any time. A run counts only once it has ended: end a run that hangs by a timeout.
  ///   - trials: the number of trials, which may run concurrently. Less than 1 counts as 1.
  ///   - clock: the clock of the times.
  public convenience init<C: Clock>(
    failureRate rate: Double, within span: Duration, minimum: Int, resetTimeout: Duration,
    slowAfter: Duration? = nil, trials: Int = 1, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.init(
      CircuitTally(failureRate: rate, within: span, minimum: minimum), resetTimeout, slowAfter, trials,
      clock)
  }

  private init<C: Clock>(
    _ tally: CircuitTally, _ resetTimeout: Duration, _ slowAfter: Duration?, _ trials: Int, _ clock: C
  ) where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    unused = Circuit(
      tally, resetTimeout: min(max(.zero, resetTimeout), TimerLimits.longestWait), slowAfter: slowAfter,
      trials: trials)
    shared = Lock(Shared(circuit: unused))
  }

  /// The current state.
  public var state: CircuitState { shared.withLock { $0.circuit.state } }

  /// The current state, then each different state. A slow consumer gets the newest state and misses those in between.
  ///
  /// Never ends by itself. Each iterator receives all states independently.
  public var states: CircuitStates { CircuitStates(breaker: self) }

  /// The number of iterators over the states.
  var watcherCount: Int { shared.withLock { $0.watchers.count } }

  /// Whether the breaker is closed and no failure counts.
  var isClean: Bool {
    let now = now()
    return shared.withLock { $0.circuit.isClean(at: now) }
  }

  /// Lets a run pass or refuses it. The outcome of a run that passes must be reported later.
  func requestArrived() -> Result<Circuit.Pass, CircuitRefusal> {
    change { $0.requestArrived(at: $1) }
  }

  func ended(_ pass: Circuit.Pass, _ outcome: RunEnding) {
    change { $0.ended(pass, outcome, at: $1) }
  }

  private func change<Result>(_ body: (inout Circuit, _ now: Duration) -> Result) -> Result {
    let now = now()
    let (result, signals) = shared.withLock { shared in
      let before = shared.circuit.state
      let result = body(&shared.circuit, now)
      return (result, shared.circuit.state == before ? [] : Array(shared.watchers.values))
    }
    for signal in signals { signal.yield() }
    return result
  }

  /// A stream with a signal now and after each change.
  func changes() -> AsyncStream<Void> {
    let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = shared.withLock { shared in
      shared.lastWatcher += 1
      shared.watchers[shared.lastWatcher] = signal
      return shared.lastWatcher
    }
    signal.onTermination = { [shared] _ in shared.withLock { $0.watchers[number] = nil } }
    signal.yield()
    return stream
  }
}
