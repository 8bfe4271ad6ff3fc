import Testing

@testable import MillraceEffects

@Suite struct CircuitTests {
  private var circuit = Circuit(CircuitTally(failuresInARow: 2), resetTimeout: .seconds(10))

  /// Lets one through that ends at once.
  private mutating func run(_ outcome: Circuit.Outcome, at second: Int) throws {
    let pass = try circuit.requestArrived(at: .seconds(second)).get()
    circuit.ended(pass, outcome, at: .seconds(second))
  }

  private mutating func refusal(at second: Int) -> CircuitRefusal? {
    if case .failure(let refusal) = circuit.requestArrived(at: .seconds(second)) { refusal } else { nil }
  }

  @Test("a number of failures in a row opens a circuit for the reset timeout")
  mutating func opens() throws {
    try run(.failed, at: 0)
    #expect(circuit.state == .closed)
    try run(.failed, at: 1)
    #expect(circuit.state == .open)
    #expect(refusal(at: 1) == .open(retryAfter: .seconds(10)))
    #expect(refusal(at: 10) == .open(retryAfter: .seconds(1)))
    #expect(circuit.state == .open)
  }

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
    circuit.ended(passes[1], .well, at: .seconds(11))
    #expect(circuit.state == .halfOpen)
    // Those that went well are not tried again.
    #expect(throws: CircuitRefusal.halfOpen) { try circuit.requestArrived(at: .seconds(11)).get() }
    circuit.ended(passes[2], .well, at: .seconds(11))
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

  @Test("a trial that was stopped makes way for another, and what went well before stays")
  func stoppedAmongTrials() throws {
    var circuit = try opened(trials: 2)
    let passes = try (0..<2).map { _ in try circuit.requestArrived(at: .seconds(10)).get() }
    circuit.ended(passes[0], .well, at: .seconds(11))
    circuit.ended(passes[1], .stopped, at: .seconds(11))
    let third = try circuit.requestArrived(at: .seconds(11)).get()
    #expect(throws: CircuitRefusal.halfOpen) { try circuit.requestArrived(at: .seconds(11)).get() }
    circuit.ended(third, .well, at: .seconds(11))
    #expect(circuit.state == .closed)
  }

  @Test("a run that takes as long as is too long has failed, one that is stopped has not")
  func slow() throws {
    func state(after time: Duration, _ outcome: Circuit.Outcome) throws -> CircuitState {
      var circuit = Circuit(
        CircuitTally(failuresInARow: 1), resetTimeout: .seconds(10), slowAfter: .seconds(2))
      let pass = try circuit.requestArrived(at: .seconds(5)).get()
      circuit.ended(pass, outcome, at: .seconds(5) + time)
      return circuit.state
    }
    #expect(try state(after: .milliseconds(1_999), .well) == .closed)
    #expect(try state(after: .seconds(2), .well) == .open)
    #expect(try state(after: .seconds(9), .stopped) == .closed)
    #expect(try state(after: .zero, .failed) == .open)
    var circuit = try opened(trials: 1, slowAfter: .seconds(2))
    circuit.ended(try circuit.requestArrived(at: .seconds(10)).get(), .well, at: .seconds(12))
    #expect(circuit.state == .open)
    #expect(circuit.wait(at: .seconds(12)) == .seconds(10))
  }

  @Test("by time, a failure counts for as long as it is said to")
  func timeWindow() throws {
    var circuit = Circuit(
      CircuitTally(failureRate: 0.5, within: .seconds(10), minimum: 2), resetTimeout: .seconds(5))
    func end(_ outcome: Circuit.Outcome, at second: Int) throws {
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
    for outcome in [Circuit.Outcome.failed, .failed, .well] {
      let pass = try circuit.requestArrived(at: .zero).get()
      circuit.ended(pass, outcome, at: .zero)
    }
    #expect(circuit.state == .closed)
    let pass = try circuit.requestArrived(at: .zero).get()
    circuit.ended(pass, .failed, at: .zero)
    #expect(circuit.state == .open)
  }

  @Test("a success starts the count of failures anew, a stopped run does not")
  mutating func counts() throws {
    for outcome in [Circuit.Outcome.failed, .well, .failed, .stopped] { try run(outcome, at: 0) }
    #expect(circuit.state == .closed)
    try run(.failed, at: 0)
    #expect(circuit.state == .open)
  }

  @Test("after the timeout one is tried at a time, and its outcome closes or opens it")
  mutating func halfOpen() throws {
    for _ in 1...2 { try run(.failed, at: 0) }
    let trial = try circuit.requestArrived(at: .seconds(10)).get()
    #expect(circuit.state == .halfOpen)
    #expect(refusal(at: 11) == .halfOpen)
    circuit.ended(trial, .failed, at: .seconds(12))
    #expect(circuit.state == .open)
    #expect(refusal(at: 21) == .open(retryAfter: .seconds(1)))
    try run(.well, at: 22)
    #expect(circuit.state == .closed)
    try run(.failed, at: 23)
    #expect(circuit.state == .closed)
  }

  @Test("a trial that was stopped makes way for another")
  mutating func stoppedTrial() throws {
    for _ in 1...2 { try run(.failed, at: 0) }
    try run(.stopped, at: 10)
    #expect(circuit.state == .halfOpen)
    try run(.well, at: 10)
    #expect(circuit.state == .closed)
  }

  @Test("a run admitted before the last change of a circuit does not count", arguments: [true, false])
  mutating func stale(wasWell: Bool) throws {
    let early = try circuit.requestArrived(at: .zero).get()
    for _ in 1...2 { try run(.failed, at: 0) }
    let trial = try circuit.requestArrived(at: .seconds(10)).get()
    circuit.ended(early, wasWell ? .well : .failed, at: .seconds(11))
    #expect(circuit.state == .halfOpen)
    #expect(refusal(at: 11) == .halfOpen)
    circuit.ended(trial, .well, at: .seconds(12))
    circuit.ended(early, .failed, at: .seconds(12))
    try run(.failed, at: 12)
    #expect(circuit.state == .closed)
  }

  @Test("once its time is over, an open one stays as it is while time passes")
  mutating func equality() throws {
    for _ in 1...2 { try run(.failed, at: 0) }
    circuit.elapse(.seconds(9))
    #expect(circuit.wait(at: .zero) == .seconds(1))
    circuit.elapse(.seconds(1))
    let over = circuit
    circuit.elapse(.seconds(7))
    #expect(circuit == over)
    #expect(circuit.wait(at: .zero) == .zero)
    #expect(!circuit.isUnused)
    try run(.well, at: 0)
    circuit.forgetPasses()
    #expect(circuit.isUnused)
  }
}
