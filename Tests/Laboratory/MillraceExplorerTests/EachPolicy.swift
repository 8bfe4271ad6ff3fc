import Millrace
import MillraceEffects
import MillraceTesting

/// A policy around an effect: for what holds within each of them.
enum EachPolicy: CaseIterable {
  case none, limited, rateLimited, debounced, leading, throttled, delayed, polled, timingOut, retried, guarded
  case hedged, supervised, fallingBack, mapped

  /// - Parameter action: what a policy sends by itself.
  func connect<E: EffectComponent>(_ effect: E, sending action: E.Action, to store: Store<E.State, E.Action>)
  where E.Failure: Sendable {
    let (clock, second) = (TestClock(), Duration.seconds(1))
    switch self {
    case .none: store.connect(effect)
    case .limited: store.connect(effect.limited(to: 1))
    case .rateLimited:
      store.connect(effect.rateLimited(by: TokenBucket(capacity: 1, refilledEvery: second, clock: clock)))
    case .debounced: store.connect(effect.debounced(for: second, clock: clock))
    case .leading: store.connect(effect.debounced(for: second, leading: true, clock: clock))
    case .throttled: store.connect(effect.throttled(for: second, clock: clock))
    case .delayed: store.connect(effect.delayed(by: second, clock: clock))
    case .polled: store.connect(effect.polled(every: second, clock: clock))
    case .timingOut: store.connect(effect.timingOut(after: second, clock: clock) { _ in action })
    case .retried: store.connect(effect.retried(times: 2, clock: clock) { _, _ in action })
    case .guarded:
      let breaker = CircuitBreaker(failureThreshold: 2, resetTimeout: second, clock: clock)
      store.connect(effect.guarded(by: breaker) { _, _ in action })
    case .hedged: store.connect(effect.hedged(after: second, clock: clock))
    case .supervised:
      store.connect(effect.supervised(restarts: 1, within: second, clock: clock) { _, _ in action })
    case .fallingBack: store.connect(effect.fallingBack(to: effect))
    case .mapped: store.connect(effect.mapped { $0 })
    }
  }
}
