/// A part of another backend's state that is not always there.
///
/// | field | guarded by |
/// |---|---|
/// | `node`, `last` | the engine's turn lock |
/// | everything else | immutable |
final class LifetimeBackend<Whole: Sendable, WholeAction: Sendable, State: Sendable, Action: Sendable>:
  StoreBackend, @unchecked Sendable  // what varies is touched with the turn lock held
{
  private let whole: any StoreBackend<Whole, WholeAction>
  private let projection: Projection<Whole, State>
  private let wrap: @Sendable (Action) -> WholeAction
  private let taps = ScopeTaps()
  /// Its place in the tree, while it lives, or where the value lies that it had when it ended.
  private var node: Node?
  /// That value, if it lies nowhere else.
  private var last: State?

  init(
    of whole: any StoreBackend<Whole, WholeAction>, _ projection: Projection<Whole, State>,
    action wrap: @escaping @Sendable (Action) -> WholeAction
  ) {
    self.whole = whole
    self.projection = projection
    self.wrap = wrap
  }

  func began(at node: Node) { self.node = node }

  /// The part is gone, and its node with it; from here on the scope's state is the last one that it had.
  func ended(_ last: State?) {
    node = nil
    self.last = last
  }

  func send(_ action: Action, _ sending: Sending) -> Bool {
    whole.send(wrap(action), taps.echoing(sending, [action], of: self))
  }

  func send(batch: [Action], _ sending: Sending) -> Bool {
    whole.send(batch: batch.map(wrap), taps.echoing(sending, batch, of: self))
  }

  func withState(_ engine: Engine, _ body: (UnsafePointer<State>) -> Void) {
    if let last {
      withUnsafePointer(to: last, body)
    } else if let last = node?.lastIfGone {
      body(last.assumingMemoryBound(to: State.self))
    } else {
      whole.withState(engine) { projection.withPart(of: UnsafeRawPointer($0), body) }
    }
  }

  func node(in engine: Engine) -> Node {
    guard let node else { preconditionFailure("nothing is connected to what has ended") }
    return node
  }

  func announce(_ tap: any ActionTap<State, Action>) { taps.add(tap) }

  // It was when it was announced: who sends looks before the connection has its place.
  func add(_ tap: any ActionTap<State, Action>, in engine: Engine) {}

  func remove(_ tap: any ActionTap<State, Action>, in engine: Engine) { taps.remove(tap) }
}
