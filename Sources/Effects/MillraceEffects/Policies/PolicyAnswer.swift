import Millrace

/// The answer of a policy that does not let the wrapped effect serve a request, or stops it.
enum PolicyAnswer<Base: EffectComponent, Reason: Sendable>: Sendable {
  /// The run sends an action, and does not fail.
  case action(@Sendable (Reason, Base.Request) -> Base.Action)
  /// The run fails.
  case failure(@Sendable (Reason, Base.Request) -> Base.Failure)
}
