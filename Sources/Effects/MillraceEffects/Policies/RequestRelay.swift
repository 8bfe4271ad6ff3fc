import Millrace

/// Distributes the values of one identity to several runs, one after the other or concurrent. Each run begins with the
/// newest value, and gets the values that arrive while it is in progress.
final class RequestRelay<Request: Sendable>: Sendable {
  private struct State {
    var newest: Request
    var current: [RequestUpdates<Request>] = []
    var isEnded = false
  }

  private let state: Lock<State>

  init(_ first: Request) { state = Lock(State(newest: first)) }

  var newest: Request { state.withLock { $0.newest } }

  /// The values of the run that began last.
  var last: RequestUpdates<Request>? { state.withLock { $0.current.last } }

  func arrived(_ request: Request) {
    let current = state.withLock { state in
      state.newest = request
      return state.current
    }
    for updates in current { updates.offer(request) }
  }

  /// No further values arrive.
  func ended() {
    let current = state.withLock { state in
      state.isEnded = true
      return state.current
    }
    for updates in current { updates.finish() }
  }

  /// The value for the next run.
  ///
  /// - Parameter isAlone: whether the runs before have ended.
  func next(isAlone: Bool = true) -> RequestUpdates<Request> {
    state.withLock { state in
      let next = RequestUpdates(state.newest)
      state.current = isAlone ? [next] : state.current + [next]
      if state.isEnded { next.finish() }
      return next
    }
  }
}
