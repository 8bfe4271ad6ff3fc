/// A part, which is the whole itself, that lives while a predicate holds. Its fields are guarded by the turn lock.
final class PredicateAttachment<Whole: Sendable, Action: Sendable>:
  LifetimeAttachment, @unchecked Sendable  // what varies is touched with the turn lock held
{
  let place: Place
  private let whole: any StoreBackend<Whole, Action>
  private let predicate: @Sendable (Whole) -> Bool
  private let connect: @Sendable (Store<Whole, Action>) -> Void
  private var lifetime: Lifetime<Whole, Action, Whole, Action>?

  init(
    at place: Place, of whole: any StoreBackend<Whole, Action>,
    while predicate: @escaping @Sendable (Whole) -> Bool,
    _ connect: @escaping @Sendable (Store<Whole, Action>) -> Void
  ) {
    self.place = place
    self.whole = whole
    self.predicate = predicate
    self.connect = connect
  }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    wholeChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {}

  func wholeChanged(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    let holds = predicate(whole.assumingMemoryBound(to: Whole.self).pointee)
    if let lifetime, holds {
      lifetime.node.serveEffects(of: whole, engine, outcome)
    } else if holds {
      begin(whole, engine)
    } else {
      end(engine, outcome)
    }
  }

  func serveDisplays(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    lifetime?.node.serveDisplays(of: whole, engine, outcome)
  }

  private func begin(_ whole: UnsafeRawPointer, _ engine: Engine) {
    guard let node = place.node, !place.scope.any(\.isClosing) else { return }
    // The slice is the whole, which its own node has compared already.
    let projection = Projection<Whole, Whole>("while") { whole, body in body(whole) }
    lifetime = Lifetime(
      in: engine, of: self.whole, at: place, node: StateNode.make(whole, parent: node), projection,
      action: { $0 }, connect)
  }

  private func end(_ engine: Engine, _ outcome: Outcome) {
    guard let lifetime else { return }
    self.lifetime = nil
    // The whole goes on to be there, and a scope of it goes on to show it.
    lifetime.end(engine, last: nil, outcome)
  }

  func ended(_ engine: Engine, _ outcome: Outcome) { end(engine, outcome) }

  func forEachNode(_ body: (Node) -> Void) {
    if let lifetime { body(lifetime.node) }
  }

  var work: [any CountedWork] { [] }
  var activity: [StoreActivity.Work] { [] }
}
