import Millrace

/// A guarded run begins if its breaker lets it through, and tells it how it has ended.
private struct GuardedRule<Base: EffectComponent>: PolicyRule {
  let policy: GuardedEffect<Base>

  func entry(for request: Base.Request) -> Entry? {
    let breaker = policy.breaker(request)
    return Entry(breaker, key: policy.key(request), CircuitEntrance(breaker.unused), isRefused: true)
  }

  var staysInside: Bool { true }

  func ending(by failure: Base.Failure?) -> RunEnding {
    failure.map(policy.isCounted) == true ? .failed : .well
  }

  func refusal(of request: Base.Request, wait: Duration?) -> DueAct.Kind? {
    let refusal = wait.map { CircuitRefusal.open(retryAfter: $0) } ?? .halfOpen
    return switch policy.answer {
    case .action(let action): .answers([action(refusal, request)])
    case .failure(let failure): .fails(failure(refusal, request))
    }
  }
}

/// Lets in whom the circuit lets through.
private struct CircuitEntrance: Entrance {
  /// At a time that is always zero.
  private var circuit: Circuit
  /// The runs inside whose outcomes count, and for how long each has been inside, up to the time that is too long.
  private var counted: [AnyHashable: Duration] = [:]

  init(_ circuit: Circuit) { self.circuit = circuit }

  /// Also the time until a run inside has taken too long.
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
    let outcome: Circuit.Outcome =
      switch ending {
      case .well: .well
      case .failed: .failed
      case .stopped: .stopped
      }
    change { $0.ended($0.pass(began: .zero - time), outcome, at: .zero) }
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

  /// Changes the circuit. A change of its state ends the counting of runs inside.
  private mutating func change(_ body: (inout Circuit) -> Void) {
    let era = circuit.era
    body(&circuit)
    if circuit.era == era { return }
    counted = [:]
    circuit.forgetPasses()
  }
}

extension GuardedEffect: TimedEffect {
  /// Describes a breaker that is closed at the beginning, and that nothing but effects uses.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(GuardedRule(policy: self), of: request)
  }
}
