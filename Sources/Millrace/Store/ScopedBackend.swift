/// A slice of another backend's state, with the actions that concern it.
final class ScopedBackend<
  Whole: Sendable, WholeAction: Sendable, State: Equatable & Sendable, Action: Sendable
>:
  StoreBackend
{
  private let whole: any StoreBackend<Whole, WholeAction>
  private let projection: Projection<Whole, State>
  private let wrap: @Sendable (Action) -> WholeAction
  private let taps = ScopeTaps()

  init(
    of whole: any StoreBackend<Whole, WholeAction>, _ projection: Projection<Whole, State>,
    action wrap: @escaping @Sendable (Action) -> WholeAction
  ) {
    self.whole = whole
    self.projection = projection
    self.wrap = wrap
  }

  func send(_ action: Action, _ sending: Sending) -> Bool {
    whole.send(wrap(action), taps.echoing(sending, [action], of: self))
  }

  func send(batch: [Action], _ sending: Sending) -> Bool {
    whole.send(batch: batch.map(wrap), taps.echoing(sending, batch, of: self))
  }

  func withState(_ engine: Engine, _ body: (UnsafePointer<State>) -> Void) {
    whole.withState(engine) { whole in
      projection.withPart(of: UnsafeRawPointer(whole), body)
    }
  }

  func node(in engine: Engine) -> Node {
    let parent = whole.node(in: engine)
    return parent.child(projection.key) { projection.makeNode(of: parent.value, under: parent) }
  }

  func announce(_ tap: any ActionTap<State, Action>) { taps.add(tap) }

  // It was when it was announced: who sends looks before the connection has its place.
  func add(_ tap: any ActionTap<State, Action>, in engine: Engine) {}

  func remove(_ tap: any ActionTap<State, Action>, in engine: Engine) { taps.remove(tap) }
}
