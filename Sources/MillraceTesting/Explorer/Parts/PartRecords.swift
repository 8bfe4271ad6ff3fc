import Millrace

/// Sees to it that moves of a part read and change nothing beside it: whatever the rest of the state is, a move changes
/// nothing of it and does the same to an equal part.
final class PartRecords<State: Sendable, Action: Sendable> {
  typealias Place = Exploration<State, Action>.Place

  private let reduce: Reducer<State, Action>
  private let areEqual: @Sendable (State, State) -> Bool
  private let compared: ComparedState<State>
  let values: [PartValues]
  private var tables: [PartTable]
  private(set) var offered: OfferedActions<Action>
  private(set) var refutation: Refutation?

  init(_ explorer: Explorer<State, Action>, _ division: Division<Action>) {
    reduce = explorer.reduce
    areEqual = explorer.identity.areEqual
    compared = ComparedState(explorer.initialState)
    values = explorer.parts.map { [compared] in $0.values(compared) }
    tables = explorer.parts.map { _ in PartTable() }
    offered = OfferedActions(division, areEqual: explorer.parts[0].areEqual)
  }

  /// The numbers of the parts of a state.
  func parts(of state: State, _ decisions: [Int32]) -> [Int] {
    compared.state = state
    return values.indices.map { values[$0].number(decisions[$0]) }
  }

  /// The user may send these actions in a state.
  func offer(_ actions: [Action], as numbers: [Int], in state: Int) {
    offered.offer(actions)
    for part in numbers.indices {
      if let first = tables[part].first(numbers[part]) {
        if offered.areOffered(first.list, of: part) { continue }
        refute(part, .offersOthers(elsewhere: first.state), state, nil)
      } else {
        tables[part].begin(numbers[part], in: state, list: offered.number(of: part))
      }
    }
  }

  /// A move of a part was made.
  ///
  /// - Parameter number: that of the part before.
  func made(_ move: PartMove, at site: MadeMove, _ number: Int, from place: Place, to reached: Place) {
    let part = move.part
    let (before, after) = (place.configuration.parts, reached.configuration.parts)
    compared.state = reached.state
    let next = values[part].number(after[part])
    checkRest(of: place.state, part, number, site)
    for other in before.indices where other != part && before[other] != after[other] {
      refute(part, .changesMore, site.state, site.index)
    }
    if let known = tables[part].result(of: move, number) {
      if known.part != next { refute(part, .readsMore(elsewhere: known.move), site.state, site.index) }
      return
    }
    let reduced = Int(reached.moment.sequence - place.moment.sequence)
    tables[part].add(PartTable.Result(part: next, reduced: reduced, move: site), of: move, number)
  }

  /// Whether what a move did elsewhere stands for it here. Reduces its actions to see that.
  ///
  /// - Returns: `false` if it was not made elsewhere.
  func stands(
    for move: PartMove, at site: MadeMove, _ actions: [Action], _ number: Int, in state: State
  ) -> Bool {
    let part = move.part
    guard let known = tables[part].result(of: move, number) else { return false }
    compared.state = state
    for index in 0..<known.reduced { reduce(&compared.state, actions[index]) }
    if !values[part].isThere(known.part) {
      refute(part, .readsMore(elsewhere: known.move), site.state, site.index)
    }
    checkRest(of: state, part, number, site)
    return true
  }

  /// The number of the part after a move; `nil` if the move was not made where the part was like this.
  func part(after move: PartMove, _ number: Int) -> Int? {
    tables[move.part].result(of: move, number)?.part
  }

  /// The state with another value of a part.
  func state(_ state: State, with number: Int, of part: Int) -> State {
    compared.state = state
    values[part].put(number)
    return compared.state
  }

  /// Checks that the compared state is this one but for a part.
  private func checkRest(of state: State, _ part: Int, _ number: Int, _ site: MadeMove) {
    values[part].put(number)
    if !areEqual(compared.state, state) { refute(part, .changesMore, site.state, site.index) }
  }

  private func refute(_ part: Int, _ kind: Refutation.Kind, _ state: Int, _ move: Int?) {
    if refutation == nil { refutation = Refutation(part: part, kind: kind, state: state, move: move) }
  }
}
