import Millrace

/// Keeps requests from something that has failed again and again, until it has had time to recover.
///
/// Closed, it lets everyone through. After so many failures in a row, or when too large a share of the last runs has
/// failed, it opens and refuses everyone. When the reset
/// timeout is over it is half open with the next request: that one is a trial, and others are refused meanwhile. If
/// the trial goes well the breaker closes, if it fails the breaker opens again.
///
/// One breaker may be shared by several effects that depend on one thing:
///
/// ```swift
/// let breaker = CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))
/// let uploads = HTTPEffect().guarded(by: breaker, failure: { _, _ in .cannotConnect("not tried") })
/// let downloads = HTTPEffect().guarded(by: breaker, failure: { _, _ in .cannotConnect("not tried") })
/// ```
///
/// Its state comes into the store as any other event of the world does:
///
/// ```swift
/// store.connect(when: { $0.isWatchingCircuit ? "circuit" : nil }, background: true) { _, send in
///   for await state in breaker.states { await send(.circuit(state)) }
/// }
/// ```
///
/// It keeps no timer: it is half open only once a request has come after the timeout. All members can be used from any
/// thread.
public final class CircuitBreaker: Sendable {
  private struct Shared {
    var circuit: Circuit
    var watchers: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var lastWatcher: UInt64 = 0
  }

  private let shared: Lock<Shared>
  private let now: @Sendable () -> Duration

  /// Makes a breaker, closed.
  ///
  /// - Parameters:
  ///   - failureThreshold: How many failures in a row open it. Less than 1 counts as 1.
  ///   - resetTimeout: How long it refuses everyone once it is open. Less than zero counts as zero.
  ///   - clock: What the timeout is measured by.
  public convenience init<C: Clock>(
    failureThreshold: Int, resetTimeout: Duration, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    self.init(CircuitTally(failuresInARow: failureThreshold), resetTimeout, clock)
  }

  /// Makes a breaker, closed, that opens with a failure when too large a share of the last runs has failed.
  ///
  /// Fit for what is used much and fails now and then: ten failures in a row never come where every third run goes
  /// well.
  ///
  /// ```swift
  /// let breaker = CircuitBreaker(failureRate: 0.5, ofLast: 20, minimum: 10, resetTimeout: .seconds(30))
  /// ```
  ///
  /// - Parameters:
  ///   - rate: The share, from 0 to 1, that opens it. A rate of 0 opens it with the first failure.
  ///   - window: Of how many of the last runs; less than 1 counts as 1, more than a million as that. Takes a byte each.
  ///   - minimum: How many runs must have ended before it opens. Less than 1 counts as 1, more than the window as that.
  ///   - resetTimeout: How long it refuses everyone once it is open. Less than zero counts as zero.
  ///   - clock: What the timeout is measured by.
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
    shared = Lock(
      Shared(
        circuit: Circuit(tally, resetTimeout: min(max(.zero, resetTimeout), TimerLimits.longestWait))))
  }

  /// The state it is in.
  public var state: CircuitState { shared.withLock { $0.circuit.state } }

  /// The state it is in, then each state that it comes to. Whoever is slower than the changes gets the newest.
  ///
  /// Never ends by itself. Each iterator has the states to itself.
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
