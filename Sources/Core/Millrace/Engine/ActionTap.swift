/// Gives every action that is sent through one store or scope to an observer, in the turn in which it is reduced. A
/// ``SequenceTap`` records it instead.
class ActionTap<State: Sendable, Action: Sendable>: StoreTap,
  @unchecked Sendable  // its variables are guarded by the turn lock
{
  // `nil` when the connection has ended and everything was delivered.
  private final var backend: Backend<State, Action>?
  private final var observe: (@Sendable (Action, State) -> Void)?

  init(
    _ entry: Entry, at backend: Backend<State, Action>, in engine: Engine,
    observe: (@Sendable (Action, State) -> Void)? = nil
  ) {
    (self.backend, self.observe) = (backend, observe)
    super.init(entry, in: engine)
    // Actions accepted from now on have echoes, which reach this tap after the turn of the connection.
    engine.mail.withLock { _ in account.tapCount += 1 }
  }

  /// An action was reduced.
  func record(_ action: Action, _ state: Borrowed<State>) {
    guard let observe else { return }
    let state = state.value
    call { observe(action, state) }
  }

  override final func connectionBegan() { backend?.add(self) }

  override func connectionEnded() {
    engine.mail.withLock { _ in account.tapCount -= 1 }
    backend?.remove(self)
    dropCalls()
  }

  override final func forget() -> Any? {
    defer { (backend, observe) = (nil, nil) }
    return backend.map { ($0, observe) }
  }
}
