import Millrace

/// Reduces the recorded actions a second time beside the store, to find a reducer that is not deterministic. Pure.
struct ShadowFold<State: Sendable, Action: Sendable> {
  private let reducer: Reducer<State, Action>
  /// `nil` until there is a state to begin with, and after a gap.
  private var state: State?
  private var since: UInt64 = 0
  /// Whether the reducer was reported. That happens once.
  private var isReported = false

  init(_ reducer: @escaping Reducer<State, Action>) { self.reducer = reducer }

  mutating func reduced(_ action: Action) {
    if isReported || state == nil { return }
    reducer(&state!, action)  // not `nil`, as checked above
  }

  /// Actions were lost, so the state is unknown.
  mutating func lost() { state = nil }

  /// Compares a recorded state with the computed one.
  ///
  /// - Parameter areEqual: compares the two states.
  /// - Returns: the range of actions in which the reducer gave another state; `nil` if the states are equal.
  mutating func handle(
    _ real: State?, after sequence: UInt64, areEqual: (State, State) -> Bool
  ) -> ClosedRange<UInt64>? {
    guard let real, !isReported else { return nil }
    defer { (state, since) = (real, sequence) }
    guard let state, sequence > since, !areEqual(state, real) else { return nil }
    isReported = true
    return since + 1...sequence
  }
}

/// Compares two values of a type that may be `Equatable`.
///
/// - Returns: `nil` if the type is not `Equatable`.
func areEqualIfComparable<Value>(_ left: Value, _ right: Value) -> Bool? {
  func equal<Known: Equatable>(_ left: Known) -> Bool { left == right as? Known }
  guard let left = left as? any Equatable else { return nil }
  return equal(left)
}
