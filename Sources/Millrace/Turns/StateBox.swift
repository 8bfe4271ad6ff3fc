/// The one place where a store's state lives, with its reducer and the actions that wait for it.
///
/// The state is heap memory reached by pointer, so that no copy of it ever lies on a thread's stack and a reducer
/// changes it in place.
///
/// | field | guarded by |
/// |---|---|
/// | `state`, `current`, `taps`, `isTapped` | the engine's turn lock |
/// | `incoming` | the engine's mailbox lock |
final class StateBox<State: Sendable, Action: Sendable>: ReducerHost, @unchecked Sendable {  // see the table
  let state: UnsafeMutablePointer<State>
  private let reducer: Reducer<State, Action>
  // Reached by pointer: a stored property of a class is checked for exclusive access at every use.
  private let current: UnsafeMutablePointer<ActionBuffer>
  private let incoming: UnsafeMutablePointer<ActionBuffer>
  private var taps: [any ActionTap<State, Action>] = []
  private(set) var isTapped = false

  init(_ initialState: State, _ reducer: @escaping Reducer<State, Action>) {
    state = .allocate(capacity: 1)
    state.initialize(to: initialState)
    self.reducer = reducer
    current = .allocate(capacity: 2)
    current.initialize(repeating: ActionBuffer(), count: 2)
    incoming = current + 1
  }

  deinit {
    current.pointee.destroy(Action.self)
    incoming.pointee.destroy(Action.self)
    current.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  var statePointer: UnsafeRawPointer { UnsafeRawPointer(state) }

  func put(_ action: Action) { incoming.pointee.append(action) }

  func takeIncoming() { swap(&current.pointee, &incoming.pointee) }

  func shrink(to capacity: Int) {
    current.pointee.shrink(to: capacity)
    incoming.pointee.shrink(to: capacity)
  }

  func reduceNext(_ outcome: Outcome) {
    let action = current.pointee.next(Action.self)
    reducer(&state.pointee, action.pointee)
    if isTapped { tap(action.pointee, outcome) }
  }

  func reduceStretch(_ count: Int) {
    for _ in 0..<count {
      reducer(&state.pointee, current.pointee.next(Action.self).pointee)
      current.pointee.removeNext(Action.self)
    }
  }

  func dropNext() { current.pointee.removeNext(Action.self) }

  var nextAction: any Sendable { current.pointee.next(Action.self).pointee }

  /// Reduces an action that was never in the mailbox: what a run's failure becomes.
  func reduce(_ action: Action, _ outcome: Outcome) {
    reducer(&state.pointee, action)
    if isTapped { tap(action, outcome) }
  }

  private func tap(_ action: Action, _ outcome: Outcome) {
    for tap in taps { tap.reduced(action, state.pointee, outcome) }
  }

  func add(_ tap: any ActionTap<State, Action>) {
    taps.append(tap)
    isTapped = true
  }

  func remove(_ tap: any ActionTap<State, Action>) {
    taps.removeAll { $0 === tap }
    isTapped = !taps.isEmpty
  }
}

/// What the engine needs of a state box, without its types.
protocol ReducerHost: AnyObject, Sendable {
  var statePointer: UnsafeRawPointer { get }
  /// Makes what was sent since the last call the next to be reduced. All that was taken before must be gone.
  func takeIncoming()
  /// Gives back memory for more than so many actions. None may wait; both locks must be held.
  func shrink(to capacity: Int)
  /// Reduces the next action, which stays until it is dropped.
  func reduceNext(_ outcome: Outcome)
  func dropNext()
  /// Reduces and drops the next so many actions. Nobody may record them.
  func reduceStretch(_ count: Int)
  /// Whether somebody records each action.
  var isTapped: Bool { get }
  /// The next action, boxed for an observer.
  var nextAction: any Sendable { get }
}

/// Something that records every action with the state after it. Called with the turn lock held.
protocol ActionTap<State, Action>: AnyObject {
  associatedtype State
  associatedtype Action
  func reduced(_ action: Action, _ state: State, _ outcome: Outcome)
}
