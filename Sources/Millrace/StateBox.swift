/// The one place where a store's state lives, with its reducer and the actions that wait for it.
///
/// The state is heap memory reached by pointer, so that no copy of it ever lies on a thread's stack and a reducer
/// changes it in place.
///
/// | field | guarded by |
/// |---|---|
/// | `state`, `current`, `taps` | the engine's turn lock |
/// | `incoming` | the engine's mailbox lock |
final class StateBox<State: Sendable, Action: Sendable>: ReducerHost, @unchecked Sendable {  // see the table
  let state: UnsafeMutablePointer<State>
  private let reducer: Reducer<State, Action>
  private var current = ActionBuffer<Action>()
  private var incoming = ActionBuffer<Action>()
  var taps: [any ActionTap<State, Action>] = []

  init(_ initialState: State, _ reducer: @escaping Reducer<State, Action>) {
    state = .allocate(capacity: 1)
    state.initialize(to: initialState)
    self.reducer = reducer
  }

  deinit {
    current.destroy()
    incoming.destroy()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  var statePointer: UnsafeRawPointer { UnsafeRawPointer(state) }

  func put(_ action: Action) { incoming.append(action) }

  func takeIncoming() { swap(&current, &incoming) }

  func reduceNext(_ outcome: Outcome) {
    let action = current.next
    reducer(&state.pointee, action.pointee)
    if !taps.isEmpty { tap(action.pointee, outcome) }
  }

  func dropNext() { current.removeNext() }

  var nextAction: any Sendable { current.next.pointee }

  /// Reduces an action that was never in the mailbox: what a run's failure becomes.
  func reduce(_ action: Action, _ outcome: Outcome) {
    reducer(&state.pointee, action)
    if !taps.isEmpty { tap(action, outcome) }
  }

  private func tap(_ action: Action, _ outcome: Outcome) {
    for tap in taps { tap.reduced(action, state.pointee, outcome) }
  }
}

/// What the engine needs of a state box, without its types.
protocol ReducerHost: AnyObject, Sendable {
  var statePointer: UnsafeRawPointer { get }
  /// Makes what was sent since the last call the next to be reduced. All that was taken before must be gone.
  func takeIncoming()
  /// Reduces the next action, which stays until it is dropped.
  func reduceNext(_ outcome: Outcome)
  func dropNext()
  /// The next action, boxed for an observer.
  var nextAction: any Sendable { get }
}

/// Something that records every action with the state after it. Called with the turn lock held.
protocol ActionTap<State, Action>: AnyObject {
  associatedtype State
  associatedtype Action
  func reduced(_ action: Action, _ state: State, _ outcome: Outcome)
}
