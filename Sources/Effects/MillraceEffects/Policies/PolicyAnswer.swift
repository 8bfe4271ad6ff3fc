import Millrace

/// The fate of a request that a policy does not let the effect within serve, or not to its end.
enum PolicyAnswer<Base: EffectComponent, Reason: Sendable>: Sendable {
  /// The state is told, and the run has not failed.
  case action(@Sendable (Reason, Base.Request) -> Base.Action)
  /// The run fails.
  case failure(@Sendable (Reason, Base.Request) -> Base.Failure)
}
