import Millrace

/// An effect that serves a request once it has stayed the same for a while. Made by `debounced(for:clock:)`.
public struct DebouncedEffect<Base: EffectComponent, C: Clock>: EffectComponent where C.Duration == Duration {
  private typealias Outcome = Result<Void, Base.Failure>

  private let base: Base
  private let quiet: Duration
  private let clock: C

  init(_ base: Base, _ quiet: Duration, _ clock: C) {
    self.base = base
    self.quiet = quiet
    self.clock = clock
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

  /// A changed request is a new run, whose wait begins anew.
  public func run(_ request: Base.Request, send: Send<Base.Action>) async throws(Base.Failure) {
    guard await clock.waits(quiet) else { return }
    try await base.run(request, send: send)
  }

  /// A changed request is handed over once it has stayed the same for a while.
  public func run(_ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>) async throws(Base
    .Failure)
  {
    guard base.replacement == .handOver else { return try await run(requests.first, send: send) }
    let (settled, continuation) = AsyncStream.makeStream(
      of: Base.Request.self, bufferingPolicy: .bufferingNewest(1))
    let outcome = await withTaskGroup(of: Outcome?.self) { group in
      group.addTask {
        await Settling(quiet: quiet, clock: clock).forward(requests) { continuation.yield($0) }
        continuation.finish()
        return nil
      }
      var updates: RequestUpdates<Base.Request>?
      for await request in settled {
        if let updates {
          updates.offer(request)
        } else {
          let begun = RequestUpdates(request)
          updates = begun
          group.addTask {
            defer { continuation.finish() }
            do throws(Base.Failure) {
              try await base.run(begun, send: send)
              return .success(())
            } catch {
              return .failure(error)
            }
          }
        }
      }
      updates?.finish()
      var outcome = Outcome.success(())
      if updates != nil {
        for await case let ended? in group {
          outcome = ended
          break
        }
      }
      group.cancelAll()
      return outcome
    }
    try outcome.get()
  }
}

extension EffectComponent {
  /// This effect with each request served once it has stayed the same for `quiet`.
  ///
  /// Where a changed request starts a new run, the old one never begins if it was still waiting. Where it is
  /// handed over, as in a ``StorageEffect``, the run gets the newest value when no other has come for `quiet`.
  /// Whoever stops the run within that time loses the value that waits.
  ///
  /// ```swift
  /// let search = SearchEffect(client: client).debounced(for: .milliseconds(300))
  /// store.connect(search, to: \.search, action: AppAction.search)
  /// ```
  public func debounced<C: Clock>(for quiet: Duration, clock: C = ContinuousClock()) -> DebouncedEffect<
    Self, C
  >
  where C.Duration == Duration {
    DebouncedEffect(self, quiet, clock)
  }
}
