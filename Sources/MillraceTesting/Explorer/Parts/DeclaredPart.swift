import Millrace

/// A part of the state with the actions of which the test says that they read and change it alone.
struct DeclaredPart<State: Sendable, Action: Sendable>: Sendable {
  /// The part as it is written: `\State.search`.
  let name: String
  let explored: @Sendable () -> ExploredPart<State>
  let isChangedBy: @Sendable (Action) -> Bool
  let areEqual: @Sendable (Action, Action) -> Bool
  let values: @Sendable (ComparedState<State>) -> PartValues

  init<Part: Hashable & SendableMetatype>(
    _ path: any WritableKeyPath<State, Part> & Sendable,
    changedBy isChangedBy: @escaping @Sendable (Action) -> Bool
  ) where Action: Equatable {
    name = "\(path)"
    explored = { ExploredPart(path) }
    self.isChangedBy = isChangedBy
    areEqual = { $0 == $1 }
    values = { PartValues(path, of: $0) }
  }
}

/// The state whose parts are looked at.
final class ComparedState<State> {
  var state: State

  init(_ state: State) { self.state = state }
}

/// The values of one part in the states that were met, by number: each with what the part's effects had decided. Without
/// types, since looking up types that depend on others would cost more than all the rest.
struct PartValues {
  /// The number of the part of the compared state.
  ///
  /// - Parameter decisions: the number of what its effects have decided.
  let number: (_ decisions: Int32) -> Int
  /// What the part's effects have decided.
  let decisions: (_ number: Int) -> Int32
  /// Whether the compared state has this value.
  let isThere: (_ number: Int) -> Bool
  /// Puts the value into the compared state.
  let put: (_ number: Int) -> Void

  init<State, Part: Hashable>(_ path: WritableKeyPath<State, Part>, of compared: ComparedState<State>) {
    let values = NumberedValues<Part>()
    number = { values.number(of: compared.state[keyPath: path], $0) }
    decisions = { values.decisions[$0] }
    isThere = { compared.state[keyPath: path] == values.all[$0] }
    put = { compared.state[keyPath: path] = values.all[$0] }
  }
}

private final class NumberedValues<Part: Hashable> {
  private var table = StateTable()
  private(set) var all: ContiguousArray<Part> = []
  private(set) var decisions: ContiguousArray<Int32> = []

  func number(of value: Part, _ decisions: Int32) -> Int {
    let hash = value.hashValue &+ Int(decisions) &* 0x1E37_79B9_7F4A_7C15
    let found = table.find(hash: hash) { self.decisions[$0] == decisions && all[$0] == value }
    if let found { return found }
    table.insert(hash: hash)
    all.append(value)
    self.decisions.append(decisions)
    return all.count - 1
  }
}
