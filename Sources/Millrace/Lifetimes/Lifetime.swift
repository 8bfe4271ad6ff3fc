import Dispatch

/// The life of one part of the state: its account, its place in the tree, and what is behind the store that the
/// user's closure got. Used with the turn lock held.
struct Lifetime<Whole: Sendable, WholeAction: Sendable, State: Sendable, Action: Sendable> {
  let node: Node
  let scope: Scope
  let backend: LifetimeBackend<Whole, WholeAction, State, Action>

  /// Begins a life: calls `connect` with a store of the part. What it connects is connected in this very turn.
  init(
    in engine: Engine, of whole: any StoreBackend<Whole, WholeAction>, at place: Place,
    scope: Scope? = nil, node: Node, _ projection: Projection<Whole, State>,
    action: @escaping @Sendable (Action) -> WholeAction, _ connect: (Store<State, Action>) -> Void
  ) {
    let scope = scope ?? Scope(parent: place.scope)
    self.node = node
    self.scope = scope
    backend = LifetimeBackend(of: whole, projection, action: action)
    backend.began(at: node)
    let store = Store(engine: engine, backend: backend, scope: scope, keeping: nil)
    let outer = (engine.isMakingLifetime, engine.progress.pointee.evaluation)
    engine.isMakingLifetime = true
    engine.progress.pointee.evaluation = .none
    connect(store)
    (engine.isMakingLifetime, engine.progress.pointee.evaluation) = outer
  }

  /// Ends it: from this turn on nothing that was sent through it touches the state. What is connected is torn down,
  /// at once or, where it is much, in turns to come.
  func end(_ engine: Engine, last: State?, _ outcome: Outcome) {
    fence(last: last)
    engine.tearDown(node, outcome)
  }

  func fence(last: State?) {
    scope.isEnded = true
    backend.ended(last)
  }
}

/// Lifetimes of one collection that were fenced together. Used with the turn lock held.
final class Lot: @unchecked Sendable {  // when it is empty, whoever holds it last only lets it go
  /// Gives the place of one after the other, as each is to be torn down; `nil` when there are no more.
  let next: () -> Node?

  init(next: @escaping () -> Node?) { self.next = next }
}

extension Engine {
  /// The same for many places at once.
  func tearDown(_ lot: Lot, _ outcome: Outcome) {
    tables.components.pointee.partEnded()
    tables.condemnedLots.append(lot)
    if !tables.isTearingDown { tearDownSome(outcome) }
  }

  /// Ends all that is connected at a node whose part is gone: at once, or in turns to come if this turn has ended
  /// much already.
  func tearDown(_ node: Node, _ outcome: Outcome) {
    tables.components.pointee.partEnded()
    tables.condemned.append(node)
    if !tables.isTearingDown { tearDownSome(outcome) }
  }

  private func tearDownSome(_ outcome: Outcome) {
    // Ending a lifetime condemns what it held: that must not tear down from within.
    tables.isTearingDown = true
    while tables.tearDownBudget > 0 {
      if let node = tables.condemned.last {
        if let attachment = node.anyAttachment {
          tables.tearDownBudget -= 1
          end(attachment, outcome)
        } else {
          tables.condemned.removeLast()
        }
      } else if let lot = tables.condemnedLots.last {
        tables.tearDownBudget -= 1
        if let node = lot.next() {
          tables.condemned.append(node)
        } else {
          let empty = tables.condemnedLots.removeLast()
          // What it still holds of many elements takes long to free, and nobody is to wait for it.
          outcome.deliver { DispatchQueue.global().async { withExtendedLifetime(empty) {} } }
        }
      } else {
        break
      }
    }
    tables.isTearingDown = !tables.condemned.isEmpty || !tables.condemnedLots.isEmpty
    if tables.isTearingDown {
      post(in: scope, site: CallSite(fileID: #fileID, line: #line)) { engine, outcome in
        engine.tearDownSome(outcome)
      }
    }
  }
}
