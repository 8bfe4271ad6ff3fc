import Millrace

/// An effect that ignores requests while it serves one. Made by `takingLeading()` and `takingLeading(per:)`.
public struct TakeLeadingEffect<Base: EffectComponent, Key: Hashable & Sendable>: EffectComponent {
  /// What the effect within can throw.
  public typealias Failure = Base.Failure

  private let base: Base
  private let key: @Sendable (Base.Request) -> Key

  init(_ base: Base, _ key: @escaping @Sendable (Base.Request) -> Key) {
    self.base = base
    self.key = key
  }

  /// The key of the request.
  public func id(of request: Base.Request) -> Key { key(request) }

  /// The requests of the effect within.
  public func requests(in state: Base.State) -> Set<Base.Request> { base.requests(in: state) }

  /// `.ignore`
  public var replacement: RequestReplacement { .ignore }

  /// The action that the effect within has for it.
  public func action(for failure: Base.Failure, of request: Base.Request) -> Base.Action {
    base.action(for: failure, of: request)
  }

  /// Runs the effect within on this one value.
  public func run(_ request: Base.Request, send: Send<Base.Action>) async throws(Base.Failure) {
    if base.replacement == .handOver {
      let values = RequestUpdates(request)
      values.finish()  // no other is handed over
      try await base.run(values, send: send)
    } else {
      try await base.run(request, send: send)
    }
  }
}

extension EffectComponent {
  /// This effect with a request ignored that replaces another while that one's run goes on: the first wins.
  ///
  /// Known elsewhere as exhaust, `exhaustMap` or `takeLeading`: taps on a button that has begun to submit do nothing.
  ///
  /// ```swift
  /// store.connect(HTTPEffect().takingLeading(), to: \.uploads, action: AppAction.upload)
  /// ```
  ///
  /// What is ignored counts as finished: it is not served later, and nothing is sent for it. Once the run has returned,
  /// a request that differs from the last one ignored begins a run. A run is stopped when the state asks for nothing.
  ///
  /// The state is to ask for one request at a time; two in one set are a mistake that the store reports. Where several
  /// may run side by side, say by `takingLeading(per:)` which of them are in each other's way.
  public func takingLeading() -> TakeLeadingEffect<Self, Int> { TakeLeadingEffect(self) { _ in 0 } }

  /// This effect with a request ignored that replaces another of the same key while that one's run goes on.
  ///
  /// As `takingLeading()`, for each key by itself.
  ///
  /// ```swift
  /// let pages = HTTPEffect().takingLeading(per: { $0.url })
  /// store.connect(pages, to: \.downloads, action: AppAction.http)
  /// ```
  ///
  /// - Parameter key: Which requests are in each other's way; this becomes their identity. Pure; called on the reducer
  ///   queue.
  public func takingLeading<Key: Hashable & Sendable>(
    per key: @escaping @Sendable (Request) -> Key
  ) -> TakeLeadingEffect<Self, Key> {
    TakeLeadingEffect(self, key)
  }
}
