/// A slice of another backend's state, with the actions that concern it.
final class ScopedBackend<
  Whole: Sendable, WholeAction: Sendable, State: Equatable & Sendable, Action: Sendable
>:
  StoreBackend
{
  private let whole: any StoreBackend<Whole, WholeAction>
  private let projection: Projection<Whole, State>
  private let wrap: @Sendable (Action) -> WholeAction
  private let taps = Lock<[any ActionTap<State, Action>]>([])

  init(
    of whole: any StoreBackend<Whole, WholeAction>, _ projection: Projection<Whole, State>,
    action wrap: @escaping @Sendable (Action) -> WholeAction
  ) {
    self.whole = whole
    self.projection = projection
    self.wrap = wrap
  }

  func send(_ action: Action, _ sending: Sending) -> Bool {
    whole.send(wrap(action), echoing([action], sending))
  }

  func send(batch: [Action], _ sending: Sending) -> Bool {
    whole.send(batch: batch.map(wrap), echoing(batch, sending))
  }

  /// Has what is sent recorded by those who listen to this scope, in the turn in which it is reduced.
  private func echoing(_ actions: @autoclosure () -> [Action], _ sending: Sending) -> Sending {
    let taps = taps.withLock { $0 }
    if taps.isEmpty { return sending }
    var sending = sending
    let actions = actions()
    var next = 0
    sending.echoes =
      (sending.echoes ?? []) + [
        { [self] engine, outcome in
          let action = actions[next]
          next += 1
          withState(engine) { state in
            for tap in taps { tap.reduced(action, state.pointee, outcome) }
          }
        }
      ]
    return sending
  }

  func withState(_ engine: Engine, _ body: (UnsafePointer<State>) -> Void) {
    whole.withState(engine) { whole in
      projection.withPart(of: UnsafeRawPointer(whole), body)
    }
  }

  func node(in engine: Engine) -> Node {
    let parent = whole.node(in: engine)
    return parent.child(projection.key) { SliceCell(projection, of: parent.value) }
  }

  func add(_ tap: any ActionTap<State, Action>, in engine: Engine) { taps.withLock { $0.append(tap) } }

  func remove(_ tap: any ActionTap<State, Action>, in engine: Engine) {
    taps.withLock { $0.removeAll { $0 === tap } }
  }
}
