import Millrace

/// Leaves out moves that others stand for: of two moves of different parts, made one after the other, one order is
/// explored. By sleep sets, after Godefroid: a move that was made in a state sleeps in the states to which moves of other
/// parts lead that are made there after it.
///
/// Every state is still reached, by as few moves. Take, of all shortest ways to it, the one whose moves come first in the
/// order in which the exploration makes them. Were a move of that way asleep where the way makes it, it would have been
/// made before, in a state further up the way, and the moves in between would be of other parts. The way that makes it up
/// there leads to the same state, is as short, and comes first. So the edges from the level before are all that counts: a
/// move sleeps in a state if it does so after each of them, and edges from later levels wake nothing.
///
/// This rests on what moves of parts read and change, and each is checked in each state: see ``PartRecords``.
final class Commuting<State: Sendable, Action: Sendable> {
  typealias Place = Exploration<State, Action>.Place

  private let exploration: Exploration<State, Action>
  private let division: Division<Action>
  private let records: PartRecords<State, Action>
  private var sleepSets: SleepSets
  private(set) var skippedCount = 0

  // The state whose moves are made.
  private var place: Place
  private var state = 0
  private var moves: Moves<Action>
  private var owners: [PartMove?] = []
  /// The numbers of its parts.
  private var parts: [Int] = []
  /// The moves that sleep there, and those that have been made.
  private var asleep: SleepSet

  /// `nil` where nothing commutes.
  init?(_ exploration: Exploration<State, Action>) {
    guard let division = exploration.division, division.undivided.isEmpty else { return nil }
    self.exploration = exploration
    self.division = division
    records = PartRecords(exploration.explorer, division)
    sleepSets = SleepSets(parts: division.count)
    asleep = SleepSet(parts: division.count)
    place = exploration.start
    moves = Moves(actions: [], outcomes: [], hasRestart: false)
  }

  /// What shows that a part is not what the test says.
  var refutation: Refutation? { records.refutation }

  // MARK: Exploring

  /// The moves of a state are going to be made.
  func begin(_ place: Place, _ moves: Moves<Action>, _ state: Int) {
    (self.place, self.moves, self.state) = (place, moves, state)
    parts = records.parts(of: place.state, place.configuration.parts)
    records.offer(moves.actions, as: parts, in: state)
    var counts = Array(repeating: 0, count: division.count)
    let outcomes = place.configuration.partsOfMoves ?? moves.outcomes.map(\.part)
    owners = (records.offered.parts + outcomes).map { part in
      guard let part else { return nil }
      counts[part] += 1
      return PartMove(part: part, index: counts[part] - 1)
    }
    if moves.hasRestart { owners.append(nil) }
    asleep = sleepSets[state]
  }

  /// Whether a move is left out.
  func leavesOut(_ index: Int) -> Bool {
    guard let move = owners[index], asleep.contains(move) else { return false }
    let site = MadeMove(state: state, index: index)
    let actions =
      index < moves.actions.count
      ? [moves.actions[index]] : moves.outcomes[index - moves.actions.count].actions
    guard records.stands(for: move, at: site, actions, parts[move.part], in: place.state) else {
      return false
    }
    skippedCount += 1
    return true
  }

  /// A move was made.
  ///
  /// - Parameter number: that of the state to which it led, where this is a shortest way to it; otherwise `nil`.
  func made(_ index: Int, _ reached: Place, _ number: Int?) {
    let move = owners[index]
    if let number { sleepSets.reached(number, asleep.after(move?.part)) }
    guard let move else { return }
    records.made(
      move, at: MadeMove(state: state, index: index), parts[move.part], from: place, to: reached)
    asleep.insert(move)
  }

  // MARK: Edges

  /// The states to which the moves lead that were left out, each with the number of its configuration; `nil` where that
  /// is not known. Without these edges, a state all of whose moves were left out would look stuck.
  func reachedByLeftOut(
    _ number: Int, _ state: State, _ configuration: Configuration
  ) -> [(state: State, configuration: Int32)?] {
    let moves = sleepSets[number].moves
    if moves.isEmpty { return [] }
    let parts = records.parts(of: state, configuration.parts)
    return moves.map { move in
      guard let part = records.part(after: move, parts[move.part]) else { return nil }
      var decisions = configuration.parts
      decisions[move.part] = records.values[move.part].decisions(part)
      let next = records.state(state, with: part, of: move.part)
      return exploration.configurations.number(of: decisions).map { (next, $0) }
    }
  }
}
