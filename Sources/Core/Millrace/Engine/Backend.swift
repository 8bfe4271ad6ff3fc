/// The target of a store: the root store itself, a scope of another backend, or a part with a lifetime. The three
/// differ in where they send actions, where they read the state, and where the state is in the tree.
///
/// Senders hold their backend, and so do runs that outlive the store. A backend does not hold the engine.
class Backend<State: Sendable, Action: Sendable>: @unchecked Sendable {  // the turn lock guards `taps`
  /// `nil` if there are none, since an empty array would look its type up. Guarded by the turn lock.
  private final var taps: [ActionTap<State, Action>]?

  // MARK: What differs between the kinds

  /// Sends an action on. Returns whether it was accepted; `nil` if it must be sent again with `Sending.isTapped`.
  ///
  /// The engine and the account are parameters of their own. In the `Sending` their references would be counted, which
  /// costs more than everything else if two threads send.
  fileprivate func post(_ action: Action, _ engine: Engine, _ account: Account, _ sending: inout Sending)
    -> Bool?
  {
    isOverridden()
  }

  /// Calls `body` with the current state. The turn lock must be held.
  func read(_ engine: Engine, _ body: (Borrowed<State>) -> Void) { isOverridden() }

  /// The place of the state in the tree. The turn lock must be held.
  func node(_ engine: Engine) -> Node { isOverridden() }

  private final func isOverridden() -> Never { preconditionFailure("every backend is of one of the kinds") }

  // MARK: What all kinds share

  /// Sends an action. If actions are recorded, the action is sent a second time with echoes; the first attempt has
  /// called only the action mappings. So a tap misses no action that is accepted after the tap was made.
  ///
  /// - Returns: whether the action was accepted. If not, a waiting sender has been resumed.
  final func send(
    _ action: Action, through account: Account, _ engine: Engine, _ sending: consuming Sending
  ) -> Bool {
    if let isAccepted = post(action, engine, account, &sending) { return isAccepted }
    sending.isTapped = true
    return post(action, engine, account, &sending) ?? false
  }
}

// MARK: - The kinds

/// The backend of a root store.
final class StoreBackend<State: Sendable, Action: Sendable>: Backend<State, Action>,
  @unchecked Sendable  // as its superclass
{
  override func post(_ action: Action, _ engine: Engine, _ account: Account, _ sending: inout Sending)
    -> Bool?
  {
    if sending.isTapped { echo(action, engine, &sending) }
    let (engine, envelope) = (typed(engine), sending.envelope(through: account))
    if sending.isInTurn {
      if !sending.isTapped, engine.mail.withLock({ _ in account.isTapped }) { return nil }
      engine.reduceInTurn(action, envelope)
      return true
    }
    return engine.post(action, envelope, through: account, isTapped: sending.isTapped)
  }

  override func read(_ engine: Engine, _ body: (Borrowed<State>) -> Void) {
    if let place = typed(engine).place { body(place.borrowed) }
  }

  override func node(_ engine: Engine) -> Node { engine.root }

  /// Casts the engine to the type for this state and these actions.
  private func typed(_ engine: Engine) -> StateEngine<State, Action> {
    unsafeDowncast(engine, to: StateEngine<State, Action>.self)  // a backend has one engine
  }
}

/// The backend of a scope. It sends actions on to the whole.
final class ScopeBackend<
  Whole: Sendable, WholeAction: Sendable, State: Equatable & Sendable, Action: Sendable
>:
  Backend<State, Action>, @unchecked Sendable  // immutable
{
  private let whole: Backend<Whole, WholeAction>
  private let projection: Projection<Whole, State>
  private let wrap: @Sendable (Action) -> WholeAction

  init(
    of whole: Backend<Whole, WholeAction>, _ projection: Projection<Whole, State>,
    _ wrap: @escaping @Sendable (Action) -> WholeAction
  ) {
    (self.whole, self.projection, self.wrap) = (whole, projection, wrap)
  }

  override func post(_ action: Action, _ engine: Engine, _ account: Account, _ sending: inout Sending)
    -> Bool?
  {
    if sending.isTapped { echo(action, engine, &sending) }
    return whole.post(wrap(action), engine, account, &sending)
  }

  override func read(_ engine: Engine, _ body: (Borrowed<State>) -> Void) {
    whole.read(engine) { projection.withPart(of: $0, body) }
  }

  override func node(_ engine: Engine) -> Node { whole.node(engine).child(projection) }
}

/// The backend of a part with a lifetime, found by its id. All parts of one connection share the closures.
final class PartBackend<
  Whole: Sendable, WholeAction: Sendable, ID: Sendable, State: Sendable, Action: Sendable
>:
  Backend<State, Action>, @unchecked Sendable  // immutable; the turn lock guards the node
{
  private let whole: Backend<Whole, WholeAction>
  private let id: ID
  /// The node of the part in the tree, which keeps the last value.
  private let life: Life
  private let find: PartFinding<Whole, ID, State>
  private let wrap: @Sendable (ID, Action) -> WholeAction

  init(
    of whole: Backend<Whole, WholeAction>, _ id: ID, _ life: Life,
    find: @escaping PartFinding<Whole, ID, State>, _ wrap: @escaping @Sendable (ID, Action) -> WholeAction
  ) {
    (self.whole, self.id, self.life, self.find, self.wrap) = (whole, id, life, find, wrap)
  }

  override func post(_ action: Action, _ engine: Engine, _ account: Account, _ sending: inout Sending)
    -> Bool?
  {
    if sending.isTapped { echo(action, engine, &sending) }
    return whole.post(wrap(id, action), engine, account, &sending)
  }

  override func read(_ engine: Engine, _ body: (Borrowed<State>) -> Void) {
    // A part that was removed shows its last value, even in the turn that removes it.
    var isFound = false
    if !life.account.isOver {
      whole.read(engine) {
        find(id, $0) { state in
          isFound = true
          body(state)
        }
      }
    }
    if !isFound { body(life.borrowed(as: State.self)) }
  }

  override func node(_ engine: Engine) -> Node { life }
}

// MARK: - Recording actions

extension Backend {
  // Moved out for each change, since an access that lasts would be checked at each action.

  /// Records what is sent through the backend and reduced from now on. The turn lock must be held.
  final func add(_ tap: ActionTap<State, Action>) {
    var all = taps.take() ?? []
    all.append(tap)
    taps = all
  }

  final func remove(_ tap: ActionTap<State, Action>) {
    var all = taps.take() ?? []
    all.removeAll { $0 === tap }
    taps = all.isEmpty ? nil : all
  }

  /// Adds an echo, which gives the action to the taps that the backend has in the turn in which it is reduced.
  fileprivate final func echo(_ action: Action, _ engine: Engine, _ sending: inout Sending) {
    sending.echoes.append {
      if self.taps == nil { return }
      self.read(engine) { state in
        for tap in self.taps ?? [] { tap.record(action, state) }
      }
    }
  }
}
