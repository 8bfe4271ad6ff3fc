import Millrace

// What the policies that wait do at which time, for a test that explores.

extension DelayedEffect: TimedEffect {
  package func due(of request: Base.Request, after acts: Int) -> DueAct<Base.Action, Base.Failure>? {
    acts == 0
      ? DueAct(after: delay(request), .begins) : (base as? any TimedEffect)?.due(within: self, request, acts)
  }
}

extension DebouncedEffect: TimedEffect {
  /// Describes only the wait for quiet. An explorer does not see that a leading request begins at once, nor that a burst
  /// ends after its longest time.
  package func due(of request: Base.Request, after acts: Int) -> DueAct<Base.Action, Base.Failure>? {
    acts == 0 ? DueAct(after: quiet, .begins) : (base as? any TimedEffect)?.due(within: self, request, acts)
  }
}

extension TimeoutEffect: TimedEffect {
  package func due(of request: Base.Request, after acts: Int) -> DueAct<Base.Action, Base.Failure>? {
    if acts > 0 { return nil }
    return switch answer {
    case .action(let action): DueAct(after: limit, .answers([action((), request)]))
    case .failure(let failure): DueAct(after: limit, .fails(failure((), request)))
    }
  }
}

extension TimedEffect {
  /// What a run does once the policy around the effect has begun it.
  fileprivate func due<Policy: PolicyEffect>(
    within policy: Policy, _ request: Policy.Request, _ acts: Int
  ) -> DueAct<Policy.Action, Policy.Failure>? {
    guard let request = request as? Request else { return nil }
    return due(of: request, after: acts - 1) as? DueAct<Policy.Action, Policy.Failure>
  }
}
