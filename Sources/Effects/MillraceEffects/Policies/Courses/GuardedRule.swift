import Millrace

/// A guarded run begins if its breaker lets it pass, and reports its outcome to the breaker.
private struct GuardedRule<Base: EffectComponent>: PolicyRule {
  let policy: GuardedEffect<Base>

  func entry(for request: Base.Request) -> Entry? {
    let breaker = policy.breaker(request)
    return Entry(
      shared: breaker, key: policy.key(request), entrance: CircuitEntrance(circuit: breaker.unused),
      isRefused: true)
  }

  var staysInside: Bool { true }

  func ending(by failure: Base.Failure?) -> RunEnding {
    failure.map(policy.isCounted) == true ? .failed : .well
  }

  func refusal(of request: Base.Request, wait: Duration?) -> DueAct.Kind? {
    DueAct.Kind(policy.answer(wait.map { .open(retryAfter: $0) } ?? .halfOpen, request))
  }
}

/// Lets in the runs that the circuit lets pass.
private struct CircuitEntrance: Entrance {
  /// The circuit; the present always counts as zero.
  var circuit: Circuit
  /// The runs inside whose outcomes count. The value is the time that each has been inside, up to the limit for slow
  /// runs.
  var counted: [AnyHashable: Duration] = [:]

  /// Includes the time until a run inside counts as slow.
  var nextChange: Duration? {
    let rests = circuit.slowAfter.map { limit in counted.values.map { limit - $0 } } ?? []
    return (rests + [circuit.wait(at: .zero) ?? .zero]).filter { $0 > .zero }.min()
  }
  var isUnused: Bool { circuit.isUnused && counted.isEmpty }

  func wait(of run: AnyHashable, _ cost: Int, inside: Int) -> Duration? { circuit.wait(at: .zero) }

  mutating func entered(_ run: AnyHashable, _ cost: Int) {
    change { _ = $0.requestArrived(at: .zero) }
    counted[run] = .zero
  }

  mutating func left(_ run: AnyHashable, _ ending: RunEnding) {
    guard let time = counted.removeValue(forKey: run) else { return }
    change { $0.ended($0.pass(began: .zero - time), ending, at: .zero) }
  }

  mutating func elapse(_ time: Duration) {
    circuit.elapse(time)
    let longest = max(.zero, circuit.slowAfter ?? .zero)
    counted = counted.mapValues { min($0 + time, longest) }
  }

  func renaming(_ name: (AnyHashable) -> AnyHashable) -> Self {
    var other = self
    other.counted = Dictionary(uniqueKeysWithValues: counted.map { (name($0), $1) })
    return other
  }

  /// Changes the circuit. If its state changes, the runs inside no longer count.
  private mutating func change(_ body: (inout Circuit) -> Void) {
    let era = circuit.era
    body(&circuit)
    if circuit.era == era { return }
    counted = [:]
    circuit.forgetPasses()
  }
}

extension GuardedEffect: TimedEffect {
  /// Models a breaker that is closed at the beginning and used only by effects.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(GuardedRule(policy: self), of: request)
  }
}
