import Millrace

/// Actions of a run pass until the fence is closed. Closing waits for sends in progress, so that nothing
/// of the run is reduced after that.
final class SendFence: Sendable {
  private struct State {
    var isClosed = false
    var underWay = 0
    var closer: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  /// Calls `body`, unless the fence is closed; then returns `nil`.
  func pass<Result>(_ body: () async -> Result) async -> Result? {
    let passes = state.withLock { state in
      if !state.isClosed { state.underWay += 1 }
      return !state.isClosed
    }
    guard passes else { return nil }
    let result = await body()
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.underWay -= 1
      guard state.underWay == 0 else { return nil }
      defer { state.closer = nil }
      return state.closer
    }?.resume()
    return result
  }

  /// `send`, through the fence.
  func around<Action>(_ send: Send<Action>) -> Send<Action> {
    send.passing { deliver in await self.pass(deliver) ?? .fenced }
  }

  /// Closes the fence, calls `whenClosed`, and returns when nothing is under way. To be called once.
  func close(_ whenClosed: () -> Void) async {
    state.withLock { $0.isClosed = true }
    whenClosed()
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.underWay > 0 { state.closer = continuation }
        return state.underWay == 0
      }
      if isIdle { continuation.resume() }
    }
  }
}
