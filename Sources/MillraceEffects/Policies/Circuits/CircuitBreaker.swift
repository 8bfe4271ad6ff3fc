import Millrace

/// Refuses requests to something that has failed repeatedly, until it has had time to recover.
///
/// While it is closed, every request passes. It opens after a number of failures in a row, or when too large a share
/// of the last runs has failed, and then refuses every request. The first request after the reset timeout is a trial;
/// the breaker is half open and refuses other requests meanwhile. If the trial succeeds the breaker closes, and if it
/// fails the breaker opens again.
///
/// Several effects that depend on one thing may share a breaker:
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
/// store.connect(when: { $0.isWatchingCircuit ? "circuit" : nil }, background: true) { _, send in
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

  /// How it begins.
  let unused: Circuit
  private let shared: Lock<Shared>
  private let now: @Sendable () -> Duration

  /// Makes a closed breaker.
  ///
  /// - Parameters:
  ///   - failureThreshold: the number of failures in a row that opens it. Less than 1 counts as 1.
  ///   - resetTimeout: how long it refuses requests once it is open. Less than zero counts as zero.
  ///   - clock: the clock of the timeout.
  public convenience init<C: Clock>(
    failureThreshold: Int, resetTimeout: Duration, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.init(CircuitTally(failuresInARow: failureThreshold), resetTimeout, clock)
  }

  /// Makes a closed breaker that opens when too large a share of the last runs has failed.
  ///
  /// Use it for something that is used often and fails now and then: if every third run succeeds, there are never ten
  /// failures in a row.
  ///
  /// ```swift
  /// let breaker = CircuitBreaker(failureRate: 0.5, ofLast: 20, minimum: 10, resetTimeout: .seconds(30))
  /// ```
  ///
  /// - Parameters:
  ///   - rate: the share of failures, from 0 to 1, that opens it. With 0 the first failure opens it.
  ///   - window: the number of runs that count; less than 1 counts as 1, more than a million as a million. Takes one
  ///     byte each.
  ///   - minimum: the number of runs that must have ended before it opens. Less than 1 counts as 1, more than the
  ///     window as the window.
  ///   - resetTimeout: how long it refuses requests once it is open. Less than zero counts as zero.
  ///   - clock: the clock of the timeout.
  public convenience init<C: Clock>(
    failureRate rate: Double, ofLast window: Int, minimum: Int, resetTimeout: Duration,
    clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.init(CircuitTally(failureRate: rate, ofLast: window, minimum: minimum), resetTimeout, clock)
  }

  private init<C: Clock>(_ tally: CircuitTally, _ resetTimeout: Duration, _ clock: C)
  where C.Duration == Duration {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    unused = Circuit(tally, resetTimeout: min(max(.zero, resetTimeout), TimerLimits.longestWait))
    shared = Lock(Shared(circuit: unused))
  }

  /// The current state.
  public var state: CircuitState { shared.withLock { $0.circuit.state } }

  /// The current state, then each state that differs. A slow consumer gets the newest state and misses those in
  /// between.
  ///
  /// Never ends by itself. Each iterator receives every state independently.
  public var states: CircuitStates { CircuitStates(breaker: self) }

  /// How many iterators over the states there are.
  var watcherCount: Int { shared.withLock { $0.watchers.count } }

  /// Lets through or refuses one who wants to run, who is to tell later how that ended.
  func requestArrived() -> Result<Circuit.Pass, CircuitRefusal> {
    let now = now()
    return change { $0.requestArrived(at: now) }
  }

  func ended(_ pass: Circuit.Pass, _ outcome: Circuit.Outcome) {
    let now = now()
    change { $0.ended(pass, outcome, at: now) }
  }

  private func change<Result>(_ body: (inout Circuit) -> Result) -> Result {
    let (result, signals) = shared.withLock { shared in
      let before = shared.circuit.state
      let result = body(&shared.circuit)
      return (result, shared.circuit.state == before ? [] : Array(shared.watchers.values))
    }
    for signal in signals { signal.yield() }
    return result
  }

  /// A signal now and after each change.
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
