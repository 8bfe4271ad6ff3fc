import Millrace

/// An effect that ignores requests while it serves one. Made by `ignoringWhileRunning()` and
/// `ignoringWhileRunning(per:)`.
public struct IgnoringEffect<Base: EffectComponent, Key: Hashable & Sendable>: WrapperEffect {
  /// The state of the wrapped effect.
  public typealias State = Base.State
  /// The actions of the wrapped effect.
  public typealias Action = Base.Action

  /// The wrapped effect.
  public let base: Base
  let key: @Sendable (Base.Request) -> Key

  /// Returns the key of the request.
  public func id(of request: Base.Request) -> Key { key(request) }

  /// Always `.ignore`.
  public var replacement: RequestReplacement { .ignore }

  /// Runs the wrapped effect with this one request.
  public func run(_ request: Base.Request, send: Send<Base.Action>) async throws(Base.Failure) {
    let values = RequestUpdates(request)
    values.finish()  // no other value is handed over
    try await base.runOnce(values, send: send)
  }
}

extension EffectComponent {
  /// Returns this effect with a request ignored if it replaces another one whose run is in progress: the first one
  /// wins.
  ///
  /// Other libraries call this exhaust, `exhaustMap` or `takeLeading`. Use it so that further taps on a submit button
  /// do nothing while the submission is in progress.
  ///
  /// ```swift
  /// store.connect(HTTPEffect().ignoringWhileRunning(), to: \.uploads, action: AppAction.upload)
  /// ```
  ///
  /// An ignored request counts as finished: it is not served later, and nothing is sent for it. After the run has
  /// returned, a request that differs from the last ignored one begins a run. The run is stopped when the state asks
  /// for nothing.
  ///
  /// The state must ask for one request at a time; the store reports two in one set as a mistake. To let several
  /// requests run concurrently, use `ignoringWhileRunning(per:)`.
  public func ignoringWhileRunning() -> IgnoringEffect<Self, Int> { IgnoringEffect(base: self) { _ in 0 } }

  /// Returns this effect with a request ignored if it replaces another one of the same key whose run is in progress.
  ///
  /// Works like `ignoringWhileRunning()`, separately for each key.
  ///
  /// ```swift
  /// let pages = HTTPEffect().ignoringWhileRunning(per: { $0.url })
  /// store.connect(pages, to: \.downloads, action: AppAction.http)
  /// ```
  ///
  /// - Parameter key: returns the key of a request, which becomes its identity. Pure; called on the reducer queue.
  public func ignoringWhileRunning<Key: Hashable & Sendable>(
    per key: @escaping @Sendable (Request) -> Key
  ) -> IgnoringEffect<Self, Key> {
    IgnoringEffect(base: self, key: key)
  }
}
