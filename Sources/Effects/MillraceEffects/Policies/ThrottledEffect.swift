import Millrace

/// An effect whose runs begin at least an interval apart. Made by `throttled(for:clock:latest:dropped:)`.
public struct ThrottledEffect<Base: EffectComponent, C: Clock>: PolicyEffect where C.Duration == Duration {
  /// The wrapped effect.
  public let base: Base
  let throttle: TokenBucket
  let isLatest: Bool
  let dropped: (@Sendable (Base.Request) -> Base.Action)?

  /// Runs the wrapped effect when the interval allows it.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    guard !Task.isCancelled else { return }
    switch (replacement == .handOver, isLatest) {
    case (false, true):
      guard await throttle.take() else { return }
      try await runBase(requests, send: send)
    case (false, false):
      guard throttle.tryTake() == nil else { return await drop(requests.first, send) }
      try await runBase(requests, send: send)
    case (true, true):
      try await runBase(of: requests, send: send) { [throttle] sink in
        for await request in requests {
          guard await throttle.take() else { return }
          sink(requests.takeNewest() ?? request)
        }
      }
    case (true, false):
      try await runBase(of: nil, send: send) { sink in
        for await request in requests {
          if throttle.tryTake() == nil { sink(request) } else { await drop(request, send) }
        }
      }
    }
  }

  private func drop(_ request: Base.Request, _ send: Send<Base.Action>) async {
    guard let dropped else { return }
    await send(dropped(request))
  }
}

extension EffectComponent {
  /// Returns this effect with runs that begin at least `interval` apart.
  ///
  /// The first run begins at once. A request within the interval
  ///
  /// - waits if `latest` is true, and begins when the interval is over. If requests replace each other, only the newest
  ///   begins, since the others have left the state by then. Requests that are asked for concurrently begin an interval
  ///   apart, in order of arrival; none is dropped. This is the `throttle` of RxSwift and Combine with `latest: true`.
  /// - is not served if `latest` is false. Its run ends at once, and sends the action of `dropped` if there is one.
  ///   This is the `throttleFirst` of Rx, and the `throttle` of RxSwift with `latest: false`.
  ///
  /// The `throttle` of swift-async-algorithms with `latest: true` sends the newest value only when another one
  /// follows; this policy serves it when the interval is over.
  ///
  /// ```swift
  /// let search = SearchEffect(client: client).throttled(for: .seconds(1))
  /// store.connect(search, to: \.search, action: AppAction.search)
  /// ```
  ///
  /// The interval counts for all runs of this effect, for any request. For a separate interval for each element of a
  /// collection, make the effect in `connectEach`. If requests are handed over, the run gets the newest value at
  /// intervals.
  ///
  /// - Parameters:
  ///   - interval: the time from the beginning of one run to that of the next. Zero or less throttles nothing.
  ///   - clock: the clock of the interval.
  ///   - latest: whether a request within an interval is served after it, or not at all.
  ///   - dropped: makes the action for a request that is not served. By default none is sent, and the request looks as
  ///     if it was served without a result. Called in the task of the run.
  public func throttled<C: Clock>(
    for interval: Duration, clock: C = ContinuousClock(), latest: Bool = true,
    dropped: (@Sendable (Request) -> Action)? = nil
  ) -> ThrottledEffect<Self, C> where C.Duration == Duration {
    let throttle = TokenBucket(
      TokenLevel(capacity: 1, interval: interval), clock, waitsFor: "a throttle of \(interval.text)")
    return ThrottledEffect(base: self, throttle: throttle, isLatest: latest, dropped: dropped)
  }
}
