/// Who records what is sent through one scope.
///
/// Without the types of state and action: sending looks here every time, mostly to find nobody, and an array of
/// existentials of unspecialised types looks its metadata up at every use.
struct ScopeTaps: Sendable {
  private struct Tap: @unchecked Sendable {  // taps are called with the turn lock held
    let object: AnyObject
    let reduced: (_ action: UnsafeRawPointer, _ state: UnsafeRawPointer, Outcome) -> Void
  }

  private let taps = Lock<[Tap]>([])

  func add<State, Action>(_ tap: any ActionTap<State, Action>) {
    let erased = Tap(object: tap) { action, state, outcome in
      tap.reduced(
        action.assumingMemoryBound(to: Action.self).pointee,
        state.assumingMemoryBound(to: State.self).pointee,
        outcome)
    }
    taps.withLock { $0.append(erased) }
  }

  func remove(_ tap: AnyObject) {
    taps.withLock { $0.removeAll { $0.object === tap } }
  }

  /// `sending`, with the actions recorded by all taps in the turn in which they are reduced.
  ///
  /// - Parameter backend: the scope's own, with the state and the actions that the taps are made for.
  func echoing<Backend: StoreBackend>(
    _ sending: Sending, _ actions: @autoclosure () -> [Backend.Action], of backend: Backend
  ) -> Sending {
    let taps = taps.withLock { $0 }
    if taps.isEmpty { return sending }
    var sending = sending
    let actions = actions()
    var next = 0
    let echo: Echo = { engine, outcome in
      let action = actions[next]
      next += 1
      backend.withState(engine) { state in
        withUnsafePointer(to: action) { action in
          for tap in taps { tap.reduced(action, state, outcome) }
        }
      }
    }
    sending.echoes = (sending.echoes ?? []) + [echo]
    return sending
  }
}
