import Millrace

/// An effect of which at most so many runs are in progress at once. Made by `limited(to:order:priority:)`,
/// `limited(by:priority:)` and `inSequence()`.
public struct LimitedEffect<Base: EffectComponent>: PolicyEffect {
  /// The effect within.
  public let base: Base
  private let limit: ConcurrencyLimit

  private let priority: @Sendable (Base.Request) -> Int

  init(_ base: Base, _ limit: ConcurrencyLimit, _ priority: @escaping @Sendable (Base.Request) -> Int) {
    self.base = base
    self.limit = limit
    self.priority = priority
  }

  /// Runs the effect within as soon as there is a slot.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    _ = try await limit.withSlot(priority: priority(requests.first)) { () async throws(Base.Failure) in
      try await runBase(requests, send: send)
    }
  }
}

extension EffectComponent {
  /// This effect with at most `count` runs in progress at once; the others wait.
  ///
  /// ```swift
  /// store.connect(HTTPEffect().limited(to: 4), to: \.downloads, action: AppAction.http)
  /// ```
  ///
  /// Which of them is next can be declared, by order of arrival and by what the request says:
  ///
  /// ```swift
  /// let thumbnails = ThumbnailEffect().limited(to: 4, order: .lastInFirstOut)
  /// let visibleFirst = ThumbnailEffect().limited(to: 4, priority: { $0.isVisible ? 1 : 0 })
  /// ```
  ///
  /// A run that is stopped while it waits never begins its body. The order of arrival is that in which the tasks of
  /// the runs come to wait: for requests that one action adds, no order among them is promised. Give a priority where
  /// that matters.
  ///
  /// - Parameters:
  ///   - count: How many at once. Less than 1 counts as 1.
  ///   - order: Who is next among requests of equal priority.
  ///   - priority: Of the requests that wait, those with the highest go first. Called in the task of a run, once, when
  ///     it comes to wait.
  public func limited(
    to count: Int, order: SlotOrder = .firstInFirstOut,
    priority: @escaping @Sendable (Request) -> Int = { _ in 0 }
  ) -> LimitedEffect<Self> {
    limited(by: ConcurrencyLimit(count, order: order), priority: priority)
  }

  /// This effect with its runs counted by a limit that it shares with others, as told at ``ConcurrencyLimit``.
  public func limited(
    by limit: ConcurrencyLimit, priority: @escaping @Sendable (Request) -> Int = { _ in 0 }
  ) -> LimitedEffect<Self> {
    LimitedEffect(self, limit, priority)
  }

  /// This effect with its runs one after the other, whichever requests they serve, in order of arrival.
  ///
  /// A run that never ends holds up all others. For things to be done one after the other and each once, even when
  /// equal, use an `Outbox`.
  ///
  /// ```swift
  /// store.connect(HTTPEffect().inSequence(), to: \.uploads, action: AppAction.upload)
  /// ```
  public func inSequence() -> LimitedEffect<Self> { limited(to: 1) }
}
