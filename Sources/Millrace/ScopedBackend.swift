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
    whole.send(wrap(action), sending.echoing([action], to: taps, of: self))
  }

  func send(batch: [Action], _ sending: Sending) -> Bool {
    whole.send(batch: batch.map(wrap), sending.echoing(batch, to: taps, of: self))
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
