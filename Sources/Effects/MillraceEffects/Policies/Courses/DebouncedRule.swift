import Millrace

/// A debounced run begins when its request has stayed the same for a time. If all requests belong to one series of
/// bursts, the burst decides how long the run waits.
private struct DebouncedRule<Base: EffectComponent, C: Clock>: PolicyRule where C.Duration == Duration {
  let policy: DebouncedEffect<Base, C>

  private var isOfSeries: Bool {
    (policy.unused.isLeading || policy.unused.longest != nil) && policy.replacement != .handOver
  }

  func wait(before request: Base.Request) -> Duration {
    if isOfSeries || policy.unused.isLeading { return .zero }
    let quiet = policy.quiet(request)
    return policy.unused.longest.map { min($0, quiet) } ?? quiet
  }

  var waitsAnew: Bool { true }

  func entry(for request: Base.Request) -> Entry? {
    isOfSeries
      ? Entry(
        shared: policy.burst, entrance: BurstEntrance(burst: policy.unused), quiet: policy.quiet(request))
      : nil
  }
}

/// Lets each run begin at the time that the burst has set.
private struct BurstEntrance: Entrance {
  var burst: DebounceBurst
  /// The remaining wait of each run.
  var waits: [AnyHashable: Duration] = [:]

  var nextChange: Duration? { burst.rest > .zero ? burst.rest : nil }
  var isUnused: Bool { nextChange == nil && waits.isEmpty }
  var letsInEach: Bool { true }

  func wait(of run: AnyHashable, _ cost: Int, inside: Int) -> Duration? { waits[run] }

  mutating func arrived(_ run: AnyHashable, quiet: Duration) {
    waits[run] = burst.requestArrived(quiet: quiet)
  }

  mutating func gaveUp(_ run: AnyHashable) { waits[run] = nil }

  mutating func entered(_ run: AnyHashable, _ cost: Int) {
    waits[run] = nil
    burst.requestBegan()
  }

  mutating func elapse(_ time: Duration) {
    waits = waits.mapValues { max(.zero, $0 - time) }
    burst.elapse(time)
  }

  func renaming(_ name: (AnyHashable) -> AnyHashable) -> Self {
    var other = self
    other.waits = Dictionary(uniqueKeysWithValues: waits.map { (name($0), $1) })
    return other
  }
}

extension DebouncedEffect: TimedEffect {
  /// Models each value handed over to a begun run as passed on at once, not debounced.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(DebouncedRule(policy: self), of: request)
  }
}
