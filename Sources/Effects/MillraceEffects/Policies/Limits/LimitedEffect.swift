import Millrace

/// An effect with a limit of concurrent runs. Made by `limited(to:order:priority:)`, `limited(by:priority:)` and
/// `inSequence()`.
public struct LimitedEffect<Base: EffectComponent>: PolicyEffect {
  /// The wrapped effect.
  public let base: Base
  let limit: ConcurrencyLimit
  let priority: @Sendable (Base.Request) -> Int

  /// Runs the wrapped effect as soon as a slot is free.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    _ = try await limit.withSlot(priority: priority(requests.first)) { () async throws(Base.Failure) in
      try await runBase(requests, send: send)
    }
  }
}

extension LimitedEffect: RunsInLine {
  package func place(for request: any Sendable) -> PlaceInLine? {
    (request as? Base.Request).map { (limit, priority($0)) }
  }
}

extension EffectComponent {
  /// Returns this effect with at most `count` concurrent runs; further ones wait.
  ///
  /// ```swift
  /// store.connect(HTTPEffect().limited(to: 4), to: \.downloads, action: AppAction.http)
  /// ```
  ///
  /// The order of waiting runs is declared by `order` and by a priority of the request:
  ///
  /// ```swift
  /// let thumbnails = ThumbnailEffect().limited(to: 4, order: .lastInFirstOut)
  /// let visibleFirst = ThumbnailEffect().limited(to: 4, priority: { $0.isVisible ? 1 : 0 })
  /// ```
  ///
  /// A run that is stopped while it waits never begins. A run keeps its slot until its body has returned, even if the
  /// run was stopped or a timeout has answered in its place. Bodies that ignore cancellation may so keep all slots, and
  /// then no further run begins. Let a body end when its task is cancelled.
  ///
  /// Runs arrive in the order in which their tasks begin to wait, so requests that one action adds have no promised
  /// order. Use a priority if their order matters.
  ///
  /// - Parameters:
  ///   - count: the largest number of concurrent runs. Less than 1 counts as 1.
  ///   - order: the order of waiting requests of equal priority.
  ///   - priority: returns the priority of a request. Waiting requests with the highest priority go first. Called in
  ///     the task of a run, once, when it begins to wait.
  public func limited(
    to count: Int, order: SlotOrder = .firstInFirstOut,
    priority: @escaping @Sendable (Request) -> Int = { _ in 0 }
  ) -> LimitedEffect<Self> {
    limited(by: ConcurrencyLimit(count, order: order), priority: priority)
  }

  /// Returns this effect with its runs counted by a limit that effects may share; see ``ConcurrencyLimit``.
  public func limited(
    by limit: ConcurrencyLimit, priority: @escaping @Sendable (Request) -> Int = { _ in 0 }
  ) -> LimitedEffect<Self> {
    LimitedEffect(base: self, limit: limit, priority: priority)
  }

  /// Returns this effect with its runs one after the other, for all requests, in order of arrival.
  ///
  /// A run that never ends blocks all others. For things to be done one after the other and once each, even if they are
  /// equal, use an `Outbox`.
  ///
  /// ```swift
  /// store.connect(HTTPEffect().inSequence(), to: \.uploads, action: AppAction.upload)
  /// ```
  public func inSequence() -> LimitedEffect<Self> { limited(to: 1) }
}
