/// What goes along with an action on its way from a scope down to the store.
struct Sending {
  enum Mode {
    /// Into the mailbox.
    case post
    /// Reduced at once, in the turn that goes on.
    case inTurn
  }

  var mode = Mode.post
  var run: Run?
  var scope: Scope
  var site: CallSite
  var sender: UnsafeContinuation<Delivery, Never>?
  var echoes: [Echo]?

  /// An envelope around so many actions.
  func envelope(_ count: Int) -> Envelope {
    Envelope(
      count: count, site: site,
      enclosure: Enclosure(run: run, scope: scope, sender: sender, echoes: echoes))
  }
}

extension Sending {
  /// The same, with what is sent recorded by those who listen to a scope, in the turn in which it is reduced.
  func echoing<Backend: StoreBackend>(
    _ actions: @autoclosure () -> [Backend.Action],
    to taps: Lock<[any ActionTap<Backend.State, Backend.Action>]>, of backend: Backend
  ) -> Sending {
    let taps = taps.withLock { $0 }
    if taps.isEmpty { return self }
    var sending = self
    let actions = actions()
    var next = 0
    let echo: Echo = { engine, outcome in
      let action = actions[next]
      next += 1
      backend.withState(engine) { state in
        for tap in taps { tap.reduced(action, state.pointee, outcome) }
      }
    }
    sending.echoes = (sending.echoes ?? []) + [echo]
    return sending
  }
}
