/// Records the actions that are sent through one store or scope, in the turn in which each is reduced.
class ActionTap<State: Sendable, Action: Sendable>: StoreTap,
  @unchecked Sendable  // `backend` is guarded by the turn lock
{
  /// `nil` when the connection has ended and everything was delivered.
  private final var backend: Backend<State, Action>?

  init(_ entry: Entry, at backend: Backend<State, Action>, in engine: Engine) {
    self.backend = backend
    super.init(entry, in: engine)
    // What is accepted after this and reduced after the turn of the connection has echoes.
    engine.mail.withLock { $0.actionTaps += 1 }
  }

  /// An action was reduced.
  func record(_ action: Action, _ state: Borrowed<State>) {}

  override final func connectionBegan() { backend?.add(self) }

  override func connectionEnded() {
    engine.mail.withLock { $0.actionTaps -= 1 }
    backend?.remove(self)
    dropCalls()
  }

  override func forget() -> Any? { backend.take() }
}

/// Gives every action to an observer, with the state after it.
final class ActionFeed<State: Sendable, Action: Sendable>: ActionTap<State, Action>,
  @unchecked Sendable  // `tell` is guarded by the turn lock
{
  /// `nil` when the connection has ended and everything was delivered.
  private var tell: (@Sendable (Action, State) -> Void)?

  init(
    _ entry: Entry, at backend: Backend<State, Action>, in engine: Engine,
    tell: @escaping @Sendable (Action, State) -> Void
  ) {
    self.tell = tell
    super.init(entry, at: backend, in: engine)
  }

  override func record(_ action: Action, _ state: Borrowed<State>) {
    guard let tell else { return }
    let state = state.value
    call { tell(action, state) }
  }

  override func forget() -> Any? {
    let backend = super.forget()
    return tell.take().map { ($0, backend) } ?? backend
  }
}
