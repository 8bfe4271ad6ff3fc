import Millrace

/// Starts and stops the runs of one effect as a store does, on an executor that the test drives.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class Stage<Effect: EffectComponent> {
  private struct Run {
    let request: Effect.Request
    let updates: RequestUpdates<Effect.Request>
    let task: Task<Void, Never>
    let isLive: Lock<Bool>
  }

  private let effect: Effect
  private let executor: ManualExecutor
  private let sent: @Sendable (Effect.Request, Effect.Action) -> Void
  private let bodies = Lock(0)
  private var runs: [Effect.ID: Run] = [:]

  /// How many runs have not returned.
  var bodyCount: Int { bodies.withLock { $0 } }

  /// - Parameter sent: Called with what runs send that have not been stopped, and with what their failures become.
  init(
    _ effect: Effect, on executor: ManualExecutor,
    sent: @escaping @Sendable (Effect.Request, Effect.Action) -> Void
  ) {
    self.effect = effect
    self.executor = executor
    self.sent = sent
  }

  /// From now on the state asks for exactly these.
  func ask(for state: Effect.State) {
    let requests = effect.requests(in: state)
    var asked: [Effect.ID: Effect.Request] = [:]
    for request in requests { asked[effect.id(of: request)] = request }
    for (id, run) in runs where asked[id] != run.request {
      if let request = asked[id], effect.replacement != .restart, run.isLive.withLock({ $0 }) {
        runs[id] = Run(request: request, updates: run.updates, task: run.task, isLive: run.isLive)
        if effect.replacement == .handOver { run.updates.offer(request) }
      } else {
        runs[id] = nil
        run.isLive.withLock { $0 = false }
        run.task.cancel()
      }
    }
    executor.drain()
    for (id, request) in asked where runs[id] == nil { runs[id] = start(request) }
    executor.drain()
  }

  private func start(_ request: Effect.Request) -> Run {
    let (updates, isLive) = (RequestUpdates(request), Lock(true))
    let (effect, sent, bodies) = (effect, sent, bodies)
    let send = Send<Effect.Action> { action in
      guard isLive.withLock({ $0 }) else { return .fenced }
      sent(request, action)
      return .reduced
    }
    bodies.withLock { $0 += 1 }
    let task = Task.detached(executorPreference: executor) {
      defer { bodies.withLock { $0 -= 1 } }
      guard isLive.withLock({ $0 }) else { return }
      do throws(Effect.Failure) {
        if effect.replacement == .handOver {
          try await effect.run(updates, send: send)
        } else {
          try await effect.run(request, send: send)
        }
        isLive.withLock { $0 = false }
      } catch {
        await send(effect.action(for: error, of: request))
        isLive.withLock { $0 = false }
      }
    }
    return Run(request: request, updates: updates, task: task, isLive: isLive)
  }
}
