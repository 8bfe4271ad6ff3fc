/// The one place where a store's state lives, with its reducer, which alone knows the type of the actions.
///
/// The state is heap memory reached by pointer, so that no copy of it ever lies on a thread's stack and a reducer
/// changes it in place.
///
/// | field | guarded by |
/// |---|---|
/// | `state`, `taps`, `isTapped` | the engine's turn lock |
final class StateBox<State: Sendable, Action: Sendable>: ReducerHost, @unchecked Sendable {  // see the table
  let state: UnsafeMutablePointer<State>
  private let reducer: Reducer<State, Action>
  private var taps: [any ActionTap<State, Action>] = []

  init(_ initialState: State, _ reducer: @escaping Reducer<State, Action>) {
    state = .allocate(capacity: 1)
    state.initialize(to: initialState)
    self.reducer = reducer
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  override var stateName: String { "\(State.self)" }
  override var statePointer: UnsafeRawPointer { UnsafeRawPointer(state) }

  override var shape: MailShape { MailShape(for: Action.self) }

  override func reduce(at place: UnsafeMutableRawPointer, _ outcome: Outcome) {
    let action = place.assumingMemoryBound(to: Action.self)
    reducer(&state.pointee, action.pointee)
    if isTapped { tap(action.pointee, outcome) }
  }

  override func reduceStretch(at first: UnsafeMutableRawPointer, stride: Int, count: Int) {
    var place = first
    for _ in 0..<count {
      let action = place.assumingMemoryBound(to: Action.self)
      reducer(&state.pointee, action.pointee)
      action.deinitialize(count: 1)
      place += stride
    }
  }

  override func drop(at place: UnsafeMutableRawPointer) {
    place.assumingMemoryBound(to: Action.self).deinitialize(count: 1)
  }

  override func action(at place: UnsafeMutableRawPointer) -> any Sendable {
    place.assumingMemoryBound(to: Action.self).pointee
  }

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
class ReducerHost: @unchecked Sendable {  // what varies is touched with the turn lock held
  /// Whether somebody records each action.
  final fileprivate(set) var isTapped = false

  var stateName: String { preconditionFailure("a state has a type") }
  var statePointer: UnsafeRawPointer { preconditionFailure("a state has a type") }
  /// How an envelope with an action lies in memory.
  var shape: MailShape { preconditionFailure("an action has a type") }
  /// Reduces the action at `place`, which stays until it is dropped.
  func reduce(at place: UnsafeMutableRawPointer, _ outcome: Outcome) {
    preconditionFailure("a state has a type")
  }
  func drop(at place: UnsafeMutableRawPointer) { preconditionFailure("an action has a type") }
  /// Reduces and drops so many actions, `stride` bytes apart. Nobody may record them.
  func reduceStretch(at first: UnsafeMutableRawPointer, stride: Int, count: Int) {
    preconditionFailure("a state has a type")
  }
  /// The action at `place`, boxed for an observer.
  func action(at place: UnsafeMutableRawPointer) -> any Sendable {
    preconditionFailure("an action has a type")
  }
}

/// Something that records every action with the state after it. Called with the turn lock held.
protocol ActionTap<State, Action>: AnyObject {
  associatedtype State
  associatedtype Action
  func reduced(_ action: Action, _ state: State, _ outcome: Outcome)
}
