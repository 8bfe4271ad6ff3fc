import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceEffects

/// What decides whether a circuit breaker lets a run through.
@Suite struct CircuitTests {
  /// A circuit that has been opened at zero, and lets through from ten on.
  private func opened(trials: Int, slowAfter: Duration? = nil) throws -> Circuit {
    var circuit = Circuit(
      CircuitTally(failuresInARow: 1), resetTimeout: .seconds(10), slowAfter: slowAfter, trials: trials)
    circuit.ended(try circuit.requestArrived(at: .zero).get(), .failed, at: .zero)
    return circuit
  }

  @Test("a half-open circuit admits all its trials side by side, and closes if all succeed")
  func trials() throws {
    var circuit = try opened(trials: 3)
    let passes = try (0..<3).map { _ in try circuit.requestArrived(at: .seconds(10)).get() }
    #expect(circuit.wait(at: .seconds(10)) == nil)
    #expect(throws: CircuitRefusal.halfOpen) { try circuit.requestArrived(at: .seconds(10)).get() }
    circuit.ended(passes[0], .well, at: .seconds(11))
    circuit.ended(passes[1], .stopped, at: .seconds(11))
    // One that was stopped makes way for another; those that went well are not tried again.
    let third = try circuit.requestArrived(at: .seconds(11)).get()
    #expect(throws: CircuitRefusal.halfOpen) { try circuit.requestArrived(at: .seconds(11)).get() }
    for pass in [passes[2], third] {
      #expect(circuit.state == .halfOpen)
      circuit.ended(pass, .well, at: .seconds(11))
    }
    #expect(circuit.state == .closed)
    #expect(circuit.isUnused)
  }

  @Test("one failed trial opens a circuit, and the other trials no longer count")
  func failedTrial() throws {
    var circuit = try opened(trials: 3)
    let passes = try (0..<3).map { _ in try circuit.requestArrived(at: .seconds(10)).get() }
    circuit.ended(passes[0], .well, at: .seconds(11))
    circuit.ended(passes[1], .failed, at: .seconds(12))
    circuit.ended(passes[2], .well, at: .seconds(13))
    #expect(circuit.state == .open)
    #expect(circuit.wait(at: .seconds(13)) == .seconds(9))
    // The trials begin anew.
    let again = try (0..<3).map { _ in try circuit.requestArrived(at: .seconds(22)).get() }
    for pass in again { circuit.ended(pass, .well, at: .seconds(22)) }
    #expect(circuit.state == .closed)
  }

  @Test("a run that takes as long as is too long has failed, one that is stopped has not")
  func slow() throws {
    func state(after time: Duration, _ outcome: RunEnding) throws -> CircuitState {
      var circuit = try opened(trials: 1, slowAfter: .seconds(2))
      let pass = try circuit.requestArrived(at: .seconds(15)).get()
      circuit.ended(pass, outcome, at: .seconds(15) + time)
      return circuit.state
    }
    #expect(try state(after: .milliseconds(1_999), .well) == .closed)
    #expect(try state(after: .seconds(2), .well) == .open)
    #expect(try state(after: .seconds(9), .stopped) == .halfOpen)
    #expect(try state(after: .zero, .failed) == .open)
  }

  @Test("by time, a failure counts for as long as it is said to")
  func timeWindow() throws {
    var circuit = Circuit(
      CircuitTally(failureRate: 0.5, within: .seconds(10), minimum: 2), resetTimeout: .seconds(5))
    func end(_ outcome: RunEnding, at second: Int) throws {
      circuit.ended(try circuit.requestArrived(at: .seconds(second)).get(), outcome, at: .seconds(second))
    }
    try end(.failed, at: 0)
    #expect(!circuit.isClean(at: .seconds(9)))
    #expect(circuit.isClean(at: .seconds(10)))
    try end(.failed, at: 10)
    #expect(circuit.state == .closed)
    try end(.failed, at: 19)
    #expect(circuit.state == .open)
    // Once it has closed again, none of them counts.
    try end(.well, at: 24)
    try end(.failed, at: 24)
    #expect(circuit.state == .closed)
  }

  @Test("by rate, a run that goes well opens nothing, also when it is the one that makes enough of them")
  func rateOpensWithFailure() throws {
    var circuit = Circuit(
      CircuitTally(failureRate: 0.5, ofLast: 4, minimum: 3), resetTimeout: .seconds(10))
    for (outcome, state) in [(.failed, .closed), (.failed, .closed), (.well, .closed), (.failed, .open)]
      as [(RunEnding, CircuitState)]
    {
      circuit.ended(try circuit.requestArrived(at: .zero).get(), outcome, at: .zero)
      #expect(circuit.state == state)
    }
  }

  @Test("a run admitted before the last change of a circuit does not count", arguments: [true, false])
  func stale(wasWell: Bool) throws {
    var circuit = Circuit(CircuitTally(failuresInARow: 2), resetTimeout: .seconds(10))
    let passes = try (0..<3).map { _ in try circuit.requestArrived(at: .zero).get() }
    for pass in passes[1...] { circuit.ended(pass, .failed, at: .zero) }
    let trial = try circuit.requestArrived(at: .seconds(10)).get()
    circuit.ended(passes[0], wasWell ? .well : .failed, at: .seconds(11))
    #expect(throws: CircuitRefusal.halfOpen) { try circuit.requestArrived(at: .seconds(11)).get() }
    circuit.ended(trial, .well, at: .seconds(12))
    circuit.ended(passes[0], .failed, at: .seconds(12))
    circuit.ended(try circuit.requestArrived(at: .seconds(12)).get(), .failed, at: .seconds(12))
    #expect(circuit.state == .closed)
  }

  @Test("once its time is over, an open one stays as it is while time passes")
  func equality() throws {
    var circuit = try opened(trials: 1)
    circuit.elapse(.seconds(9))
    #expect(circuit.wait(at: .zero) == .seconds(1))
    circuit.elapse(.seconds(1))
    let over = circuit
    circuit.elapse(.seconds(7))
    #expect(circuit == over)
    #expect(circuit.wait(at: .zero) == .zero)
    #expect(!circuit.isUnused)
    circuit.ended(try circuit.requestArrived(at: .zero).get(), .well, at: .zero)
    circuit.forgetPasses()
    #expect(circuit.isUnused)
  }

  // MARK: Rates

  private func tally(_ outcomes: String, rate: Double = 0.5, window: Int = 4, minimum: Int = 3)
    -> CircuitTally
  {
    var tally = CircuitTally(failureRate: rate, ofLast: window, minimum: minimum)
    for outcome in outcomes { tally.ended(failed: outcome == "x") }
    return tally
  }

  @Test(
    "a rate of nothing needs a failure, one of more than all is never reached, and other nonsense is bounded")
  func nonsense() {
    #expect(!tally("....", rate: 0, minimum: 1).isTooBad)
    #expect(tally("...x", rate: 0, minimum: 1).isTooBad)
    #expect(tally("...x", rate: -1, minimum: 1).isTooBad)
    #expect(!tally("xxxx", rate: 1.1, minimum: 1).isTooBad)
    #expect(!tally("xxxx", rate: .nan, minimum: 1).isTooBad)
    #expect(tally("x", rate: 1, window: 0, minimum: 0).isTooBad)
    #expect(tally("xx", rate: 1, window: 2, minimum: .max).isTooBad)
    #expect(!tally("x", rate: 1, window: .max, minimum: .max).isTooBad)
  }

  @Test("of two windows with the same outcomes in the same order, both are equal, wherever they begin")
  func equalTallies() {
    let tallies = ["x..", ".x..", "xx.x.."].map { tally($0, window: 3) }
    #expect(Set(tallies).count == 1)
    for other in [".x.", "x."] { #expect(tallies[0] != tally(other, window: 3)) }
  }

  @Test("a share that is exactly the rate is too much, whatever the rate and the window")
  func exactShare() {
    for size in 1...200 {
      for failures in 1...size {
        // As somebody writes it: seven of a hundred is 0.07.
        let rate = Double("\(Double(failures) / Double(size))") ?? 0
        let runs = String(repeating: ".", count: size - failures) + String(repeating: "x", count: failures)
        #expect(tally(runs, rate: rate, window: size, minimum: size).isTooBad)
        #expect(!tally(runs, rate: rate.nextUp, window: size, minimum: size).isTooBad)
      }
    }
  }

  @Test("the window gives what counting its outcomes again would")
  func model() {
    var random = SeededGenerator(seed: 7)
    for _ in 1...200 {
      let (window, minimum) = (Int.random(in: 1...9, using: &random), Int.random(in: 1...9, using: &random))
      let rate = Double(Int.random(in: 1...4, using: &random)) / 4
      var tally = CircuitTally(failureRate: rate, ofLast: window, minimum: minimum)
      var outcomes: [Bool] = []
      for _ in 1...40 {
        outcomes.append(Bool.random(using: &random))
        tally.ended(failed: outcomes.last == true)
        let last = outcomes.suffix(window)
        let failures = last.count { $0 }
        let isTooBad =
          failures > 0 && last.count >= min(minimum, window) && Double(failures) / Double(last.count) >= rate
        #expect(tally.isTooBad == isTooBad)
      }
    }
  }

  // MARK: The last while

  @Test("what counts is what counting the outcomes of the last while again would give")
  func recentModel() {
    var random = SeededGenerator(seed: 3)
    for _ in 1...200 {
      // In steps of a 64th of the while or more, nothing is counted together with anything else.
      let span = Duration.seconds(64)
      var recent = RecentOutcomes(span: span)
      var (now, all): (Duration, [(time: Duration, failed: Bool)]) = (.zero, [])
      for _ in 1...50 {
        now += .milliseconds(Int.random(in: 1_000...40_000, using: &random))
        let failed = Bool.random(using: &random)
        recent.ended(failed: failed, at: now)
        all.append((now, failed))
        let last = all.filter { now - $0.time < span }
        #expect(recent.count == last.count && recent.failures == last.count(where: \.failed))
      }
    }
  }

  @Test("runs that end closely together are counted from the first of them on")
  func together() {
    var recent = RecentOutcomes(span: .seconds(64))
    for _ in 1...100_000 { recent.ended(failed: true, at: .milliseconds(999)) }
    recent.ended(failed: true, at: .milliseconds(1_998))
    recent.ended(failed: false, at: .milliseconds(1_999))
    for (time, count, failures) in [
      (1_999, 100_002, 100_001), (64_998, 100_002, 100_001), (64_999, 1, 0), (65_999, 0, 0),
    ] {
      recent.forget(at: .milliseconds(time))
      #expect(recent.count == count && recent.failures == failures)
    }
    #expect(recent == RecentOutcomes(span: .seconds(64)))
  }

  @Test(
    "two that are equal after time has passed count the same, and a while of nothing counts the last run alone"
  )
  func elapse() {
    var (one, other) = (RecentOutcomes(span: .seconds(10)), RecentOutcomes(span: .seconds(10)))
    one.ended(failed: true, at: .seconds(3))
    one.elapse(.seconds(5))
    other.ended(failed: true, at: .seconds(-2))
    #expect(one == other && one.hashValue == other.hashValue)
    one.elapse(.seconds(8))
    #expect(one == RecentOutcomes(span: .seconds(10)))
    for span in [Duration.zero, .seconds(-1)] {
      var recent = RecentOutcomes(span: span)
      for _ in 1...3 { recent.ended(failed: true, at: .zero) }
      #expect(recent.count == 1)
    }
  }

  // MARK: Keys

  private func fail<Key>(_ breakers: CircuitBreakers<Key>, _ keys: some Sequence<Key>) throws {
    for key in keys { breakers[key].ended(try breakers[key].requestArrived().get(), .failed) }
  }

  @Test("keys that went well leave nothing, those that failed and those in use stay")
  func forgets() throws {
    let clock = TestClock()
    let breakers = CircuitBreakers { (_: Int) in
      CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(5), clock: clock)
    }
    try fail(breakers, [-1])
    let held = breakers[-2]
    for key in 0..<10_000 {
      let breaker = breakers[key]
      breaker.ended(try breaker.requestArrived().get(), .well)
    }
    #expect(breakers.count <= 128)
    try fail(breakers, [-1])
    #expect(breakers[-1].state == .open)
    #expect(breakers[-2] === held)
    #expect(breakers[3] === breakers[3])
  }

  @Test("a breaker that counts by time is forgotten once its failures count no more")
  func forgetsLate() throws {
    let clock = TestClock()
    let breakers = CircuitBreakers { (_: Int) in
      CircuitBreaker(
        failureRate: 0.5, within: .seconds(60), minimum: 9, resetTimeout: .seconds(5), clock: clock)
    }
    try fail(breakers, 0..<500)
    #expect(breakers.count == 500)
    clock.advance(by: .seconds(60))
    try fail(breakers, 500..<1_100)
    #expect(breakers.count < 700)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("a state that the breaker has left and come back to in one go is not told again")
  func sameState() throws {
    let (clock, executor, reported) = (TestClock(), ManualExecutor(), Recorder<CircuitState>())
    let breaker = CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(4), clock: clock)
    let watching = Task.detached(executorPreference: executor) {
      for await state in breaker.states { reported.append(state) }
    }
    func run(_ outcome: RunEnding) throws { breaker.ended(try breaker.requestArrived().get(), outcome) }
    executor.drain()
    for _ in 1...2 { try run(.failed) }
    executor.drain()
    clock.advance(by: .seconds(4))
    try run(.failed)
    executor.drain()
    clock.advance(by: .seconds(4))
    try run(.well)
    executor.drain()
    #expect(reported.values == [.closed, .open, .closed])
    watching.cancel()
    executor.drain()
    #expect(breaker.watcherCount == 0)
  }
}
