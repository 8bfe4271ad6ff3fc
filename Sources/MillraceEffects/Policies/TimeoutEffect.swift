import Millrace

/// An effect whose runs may take only so long. Made by `timeout(_:clock:action:)`.
public struct TimeoutEffect<Base: EffectComponent, C: Clock>: EffectComponent where C.Duration == Duration {
  private typealias Outcome = Result<Void, Base.Failure>

  private enum Ending: Sendable {
    case returned(Outcome)
    case timeIsUp
    case stopped
  }

  private let base: Base
  private let limit: Duration
  private let clock: C
  private let timedOut: @Sendable (Base.Request) -> Base.Action

  init(
    _ base: Base, _ limit: Duration, _ clock: C, _ timedOut: @escaping @Sendable (Base.Request) -> Base.Action
  ) {
    self.base = base
    self.limit = limit
    self.clock = clock
    self.timedOut = timedOut
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

  /// Runs the effect within for as long as there is time.
  public func run(_ request: Base.Request, send: Send<Base.Action>) async throws(Base.Failure) {
    try await race(request, send) { send throws(Base.Failure) in try await base.run(request, send: send) }
  }

  /// Runs the effect within for as long as there is time.
  public func run(_ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>) async throws(Base
    .Failure)
  {
    try await race(requests.first, send) { send throws(Base.Failure) in
      try await base.run(requests, send: send)
    }
  }

  private func race(
    _ request: Base.Request, _ send: Send<Base.Action>,
    _ body: @escaping @Sendable (Send<Base.Action>) async throws(Base.Failure) -> Void
  ) async throws(Base.Failure) {
    let fence = SendFence()
    let fenced = Send<Base.Action> { action in await fence.pass { await send(action) } ?? .fenced }
    let outcome = await withTaskGroup(of: Ending.self) { group in
      group.addTask {
        do throws(Base.Failure) {
          try await body(fenced)
          return .returned(.success(()))
        } catch {
          return .returned(.failure(error))
        }
      }
      group.addTask { await clock.waits(limit) ? .timeIsUp : .stopped }
      var isTimedOut = false
      for await ending in group {
        switch ending {
        case .returned(let outcome):
          group.cancelAll()
          return isTimedOut ? .success(()) : outcome
        case .timeIsUp:
          isTimedOut = true
          await fence.close { group.cancelAll() }
          await send(timedOut(request))
        case .stopped:
          continue
        }
      }
      return Outcome.success(())
    }
    try outcome.get()
  }
}

extension EffectComponent {
  /// This effect with each run stopped after `limit`, and `action` sent in its place.
  ///
  /// What the run sent before stays; what it sends or throws afterwards has no effect on the state. Its task is
  /// cancelled, and until it has returned its identity stays occupied: the action is sent without waiting for
  /// that. The time that a run spends waiting in `limited(to:)` counts if the timeout is put around the limit,
  /// and does not if the limit is put around the timeout.
  ///
  /// ```swift
  /// let search = SearchEffect(client: client).timeout(.seconds(5)) { query in .gaveUp(query) }
  /// store.connect(search, to: \.search, action: AppAction.search)
  /// ```
  public func timeout<C: Clock>(
    _ limit: Duration, clock: C = ContinuousClock(), action: @escaping @Sendable (Request) -> Action
  ) -> TimeoutEffect<Self, C> where C.Duration == Duration {
    TimeoutEffect(self, limit, clock, action)
  }
}
