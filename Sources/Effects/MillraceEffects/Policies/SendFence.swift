import Millrace

/// Lets actions of a run pass until it is closed. Closing waits for sends in progress, so that no action of the run is
/// reduced afterwards.
final class SendFence: Sendable {
  private struct State {
    var isClosed = false
    var underWay = 0
    var closer: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  /// Calls `body` and returns its result; returns `nil` without calling it if the fence is closed.
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

  /// A `Send` that passes actions through this fence.
  func around<Action>(_ send: Send<Action>) -> Send<Action> {
    send.passing { deliver in await self.pass(deliver) ?? .fenced }
  }

  /// Closes the fence, calls `whenClosed`, and returns when no send is in progress. Call it once.
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
