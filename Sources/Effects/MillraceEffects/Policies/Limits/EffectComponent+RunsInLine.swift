import Millrace

extension LimitedEffect: RunsInLine {
  package func lines(for request: any Sendable) -> [PlaceInLine] {
    guard let request = request as? Base.Request else { return [] }
    return [(limit, priority(request))] + linesWithin(for: request)
  }
}

extension RunsInLine where Self: PolicyEffect {
  package func lines(for request: any Sendable) -> [PlaceInLine] {
    linesWithin(for: request)
  }

  fileprivate func linesWithin(for request: any Sendable) -> [PlaceInLine] {
    (base as? any RunsInLine)?.lines(for: request) ?? []
  }
}

extension DebouncedEffect: RunsInLine {}
extension DelayedEffect: RunsInLine {}
extension FallbackEffect: RunsInLine {}
extension GuardedEffect: RunsInLine {}
extension HedgedEffect: RunsInLine {}
extension PolledEffect: RunsInLine {}
extension RateLimitedEffect: RunsInLine {}
extension RetriedEffect: RunsInLine {}
extension ThrottledEffect: RunsInLine {}
extension TimeoutEffect: RunsInLine {}

extension MappedEffect: RunsInLine {
  package func lines(for request: any Sendable) -> [PlaceInLine] {
    (base as? any RunsInLine)?.lines(for: request) ?? []
  }
}

extension IgnoringEffect: RunsInLine {
  package func lines(for request: any Sendable) -> [PlaceInLine] {
    (base as? any RunsInLine)?.lines(for: request) ?? []
  }
}
