import Millrace

/// A rate-limited run takes tokens before it begins.
private struct RateLimitedRule<Base: EffectComponent>: PolicyRule {
  let policy: RateLimitedEffect<Base>

  func entry(for request: Base.Request) -> Entry? {
    Entry(
      shared: policy.bucket, entrance: BucketEntrance(level: policy.bucket.full), cost: policy.cost(request),
      isRefused: policy.refused != nil)
  }

  func refusal(of request: Base.Request, wait: Duration?) -> DueAct.Kind? {
    .answers(policy.refused.map { [$0(wait ?? .zero, request)] } ?? [])
  }
}

/// Lets the first run in line begin as soon as the bucket has enough tokens.
struct BucketEntrance: Entrance {
  /// The tokens; the present always counts as zero.
  var level: TokenLevel

  var nextChange: Duration? { level.nextToken }
  var order: SlotOrder? { .firstInFirstOut }
  func wait(of run: AnyHashable, _ cost: Int, inside: Int) -> Duration? { level.wait(for: cost, at: .zero) }
  mutating func entered(_ run: AnyHashable, _ cost: Int) { level.taken(cost, at: .zero) }
  mutating func elapse(_ time: Duration) { level.elapse(time) }
}

extension RateLimitedEffect: TimedEffect {
  /// Models a bucket that is full at the beginning, and from which only effects take tokens.
  package func course(of request: Base.Request) -> (any RunCourse)? {
    PolicyCourse(RateLimitedRule(policy: self), of: request)
  }
}
