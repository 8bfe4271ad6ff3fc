import Millrace
import MillraceEffects

/// An effect whose runs are recorded in a ledger before they begin. Made by `once(in:key:attempt:isFinal:event:)`.
public struct OnceEffect<Base: EffectComponent>: PolicyEffect {
  /// The wrapped effect.
  public let base: Base
  let ledger: Ledger<Base.Request>
  let key: @Sendable (Base.Request) -> String
  let attempt: @Sendable (Base.Request) -> Int
  let isFinal: @Sendable (Base.Action) -> Bool
  let event: @Sendable (OnceEvent<Base.Request>) -> Base.Action

  /// Runs the wrapped effect if the ledger permits it, and records its end in the ledger.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    let request = requests.first
    let (key, attempt) = (LedgerKey(key(request)), attempt(request))
    if let refusal = await begin(request, key, attempt) {
      await send(event(refusal))
      return
    }
    guard !Task.isCancelled else {
      // Nothing was done. If this record cannot be written, the work is reported as interrupted, which does no harm.
      try? await ledger.files.perform { files throws(StorageFailure) in
        try files.forget(key, attempt: attempt)
      }
      return
    }
    let sent = Lock(SentActions())
    let watching = Send<Base.Action> { [isFinal] action in
      let delivery = await send(action)
      sent.withLock { $0.sent(isFinal: isFinal(action), delivery) }
      return delivery
    }
    let outcome = await Result { () async throws(Base.Failure) in
      try await runBase(requests, send: watching)
    }
    if sent.withLock({ $0.hasEnded(isCancelled: Task.isCancelled) }) {
      do throws(StorageFailure) {
        try await ledger.files.perform { files throws(StorageFailure) in
          try files.end(key, attempt: attempt)
        }
      } catch {
        await send(event(.endNotWritten(error, request)))
      }
    }
    try outcome.get()
  }

  /// The event that reports why the run does not begin; `nil` if it may begin.
  private func begin(
    _ request: Base.Request, _ key: LedgerKey, _ attempt: Int
  ) async -> OnceEvent<Base.Request>? {
    do throws(StorageFailure) {
      let verdict = try await ledger.files.perform { files throws(StorageFailure) in
        try files.begin(request, key: key, attempt: attempt)
      }
      switch verdict {
      case .begun: return nil
      case .interrupted: return .interrupted(request, key: key)
      case .ended: return .ended(request, key: key)
      }
    } catch {
      return .notBegun(error, request)
    }
  }
}

/// Concludes from the sends of a run whether the state knows how it ended.
private struct SentActions {
  private var isFinalReduced = false
  private var areAllReduced = true

  mutating func sent(isFinal: Bool, _ delivery: Delivery) {
    if delivery != .reduced { areAllReduced = false } else if isFinal { isFinalReduced = true }
  }

  /// Whether the work has ended. A run whose final action was reduced is usually cancelled, since the state no longer
  /// asks for it.
  func hasEnded(isCancelled: Bool) -> Bool { isFinalReduced || (areAllReduced && !isCancelled) }
}
