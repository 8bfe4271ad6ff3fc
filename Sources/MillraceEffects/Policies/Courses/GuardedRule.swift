import Millrace

/// A guarded run begins if its breaker lets it through, and tells it how it has ended.
private struct GuardedRule<Base: EffectComponent>: PolicyRule {
  let policy: GuardedEffect<Base>

  func entry(for request: Base.Request) -> Entry? {
    Entry(policy.breaker, CircuitEntrance(policy.breaker.unused), isRefused: true)
  }

  var staysInside: Bool { true }

  func ending(by failure: Base.Failure?) -> RunEnding {
    failure.map(policy.isCounted) == true ? .failed : .well
  }

  func refusal(of request: Base.Request, wait: Duration?) -> DueAct.Kind? {
    let refusal = wait.map { CircuitRefusal.open(retryAfter: $0) } ?? .trialUnderWay
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
  /// The runs inside whose outcomes count.
  private var counted: Set<AnyHashable> = []

  init(_ circuit: Circuit) { self.circuit = circuit }

  var nextChange: Duration? { circuit.wait(at: .zero) == .zero ? nil : circuit.wait(at: .zero) }
  var isUnused: Bool { circuit.isUnused && counted.isEmpty }

  func wait(of run: AnyHashable, _ cost: Int, inside: Int) -> Duration? { circuit.wait(at: .zero) }

  mutating func entered(_ run: AnyHashable, _ cost: Int) {
    change { _ = $0.requestArrived(at: .zero) }
    counted.insert(run)
  }

  mutating func left(_ run: AnyHashable, _ ending: RunEnding) {
    guard counted.remove(run) != nil else { return }
    let outcome: Circuit.Outcome =
      switch ending {
      case .well: .well
      case .failed: .failed
      case .stopped: .stopped
      }
    change { $0.ended($0.pass, outcome, at: .zero) }
  }

  mutating func elapse(_ time: Duration) { circuit.elapse(time) }

  /// Where the state changes, the outcomes of those inside count no more.
  private mutating func change(_ body: (inout Circuit) -> Void) {
    let pass = circuit.pass
    body(&circuit)
    if circuit.pass == pass { return }
    counted = []
    circuit.forgetPasses()
  }
}

extension GuardedEffect: TimedEffect {
  /// Describes a breaker that is closed at the beginning, and that nothing but effects uses.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(GuardedRule(policy: self), of: request)
  }
}
