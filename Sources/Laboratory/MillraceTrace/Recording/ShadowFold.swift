import Millrace

/// Reduces the recorded actions once more beside the store, and so finds a reducer that does not give the same state
/// again. Pure.
struct ShadowFold<State: Sendable, Action: Sendable> {
  private let reducer: Reducer<State, Action>
  /// `nil` until there is a state to begin with, and after a gap.
  private var state: State?
  private var since: UInt64 = 0
  /// A reducer is reported once.
  private var isReported = false

  init(_ reducer: @escaping Reducer<State, Action>) { self.reducer = reducer }

  mutating func reduced(_ action: Action) {
    if isReported || state == nil { return }
    reducer(&state!, action)  // there is one
  }

  /// Actions were lost.
  mutating func lost() { state = nil }

  /// The store had this state after an action.
  ///
  /// - Parameter areEqual: compares the state that was computed here with it.
  /// - Returns: the actions between which the reducer gave another state, if it did.
  mutating func handle(_ real: State?, after sequence: UInt64, areEqual: (State, State) -> Bool)
    -> ClosedRange<
      UInt64
    >?
  {
    guard let real, !isReported else { return nil }
    defer { (state, since) = (real, sequence) }
    guard let state, sequence > since, !areEqual(state, real) else { return nil }
    isReported = true
    return since + 1...sequence
  }
}

/// Compares two values of a type that may be `Equatable`.
///
/// - Returns: `nil` where it is not.
func areEqualIfComparable<Value>(_ left: Value, _ right: Value) -> Bool? {
  func equal<Known: Equatable>(_ left: Known) -> Bool { left == right as? Known }
  guard let left = left as? any Equatable else { return nil }
  return equal(left)
}
