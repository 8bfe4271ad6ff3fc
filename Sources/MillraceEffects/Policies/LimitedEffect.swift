import Millrace

/// An effect of which at most so many runs are in progress at once. Made by `limited(to:)`.
public struct LimitedEffect<Base: EffectComponent>: EffectComponent {
  private let base: Base
  private let limit: ConcurrencyLimit

  init(_ base: Base, _ limit: ConcurrencyLimit) {
    self.base = base
    self.limit = limit
  }

  /// As the effect within has it.
  public func id(of request: Base.Request) -> Base.ID { base.id(of: request) }

  /// As the effect within has it.
  public func requests(in state: Base.State) -> Set<Base.Request> { base.requests(in: state) }

  /// As the effect within has it.
  public var replacement: RequestReplacement { base.replacement }

  /// As the effect within has it.
  public func action(for failure: Base.Failure, of request: Base.Request) -> Base.Action {
    base.action(for: failure, of: request)
  }

  /// Runs the effect within as soon as there is a slot.
  public func run(_ request: Base.Request, send: Send<Base.Action>) async throws(Base.Failure) {
    _ = try await limit.withSlot { () async throws(Base.Failure) in try await base.run(request, send: send) }
  }

  /// Runs the effect within as soon as there is a slot.
  public func run(_ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>) async throws(Base
    .Failure)
  {
    _ = try await limit.withSlot { () async throws(Base.Failure) in try await base.run(requests, send: send) }
  }
}

extension EffectComponent {
  /// This effect with at most `count` runs in progress at once; the others wait, in the order in which they
  /// were started.
  ///
  /// A run that is stopped while it waits never begins its body. Less than 1 counts as 1.
  ///
  /// ```swift
  /// store.connect(HTTPEffect().limited(to: 4), to: \.downloads, action: AppAction.http)
  /// ```
  public func limited(to count: Int) -> LimitedEffect<Self> { limited(by: ConcurrencyLimit(count)) }

  /// This effect with its runs counted by a limit that it shares with others.
  public func limited(by limit: ConcurrencyLimit) -> LimitedEffect<Self> { LimitedEffect(self, limit) }
}
