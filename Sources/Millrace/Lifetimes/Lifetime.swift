/// The life of one part of the state: its account, its place in the tree, and what is behind the store that the
/// user's closure got. Used with the turn lock held.
struct Lifetime<Whole: Sendable, WholeAction: Sendable, State: Sendable, Action: Sendable> {
  let node: Node
  let scope: Scope
  private let backend: LifetimeBackend<Whole, WholeAction, State, Action>

  /// Begins a life: calls `connect` with a store of the part. What it connects is connected in this very turn.
  init(
    in engine: Engine, of whole: any StoreBackend<Whole, WholeAction>, at place: Place, cache: any SliceCache,
    _ projection: Projection<Whole, State>, action: @escaping @Sendable (Action) -> WholeAction,
    _ connect: (Store<State, Action>) -> Void
  ) {
    node = Node(cache: cache, parent: place.node, isHeld: true)
    scope = Scope(parent: place.scope)
    backend = LifetimeBackend(of: whole, projection, action: action)
    backend.began(at: node)
    let store = Store(engine: engine, backend: backend, scope: scope, lifetime: nil)
    let outer = (engine.isMakingLifetime, engine.progress.pointee.evaluation)
    engine.isMakingLifetime = true
    engine.progress.pointee.evaluation = .none
    connect(store)
    (engine.isMakingLifetime, engine.progress.pointee.evaluation) = outer
  }

  /// Ends it: from this turn on nothing that was sent through it touches the state. What is connected is torn down,
  /// at once or, where it is much, in turns to come.
  func end(_ engine: Engine, last: State?, _ outcome: Outcome) {
    scope.isEnded = true
    backend.ended(last)
    engine.tearDown(node, outcome)
  }
}

extension Engine {
  /// Attachments ended in one turn at most, so that tearing down a hundred thousand holds nobody up for long.
  private static let tearDownLimit = 512

  /// Ends all that is connected at a node whose part is gone.
  func tearDown(_ node: Node, _ outcome: Outcome) {
    node.forEachAttachment { tables.condemned.append($0) }
    if !tables.isTearingDown, !tables.condemned.isEmpty { tearDownSome(outcome) }
  }

  private func tearDownSome(_ outcome: Outcome) {
    // Ending a lifetime condemns what it held: that must not tear down from within.
    tables.isTearingDown = true
    var ended = 0
    while ended < Self.tearDownLimit, let attachment = tables.condemned.popLast() {
      end(attachment, outcome)
      ended += 1
    }
    tables.isTearingDown = !tables.condemned.isEmpty
    if tables.isTearingDown {
      post(in: scope, site: CallSite(fileID: #fileID, line: #line)) { engine, outcome in
        engine.tearDownSome(outcome)
      }
    }
  }
}
