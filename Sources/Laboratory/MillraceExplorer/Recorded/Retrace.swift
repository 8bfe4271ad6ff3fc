import Millrace
import MillraceSpelling

/// Repeats the moves of a recorded program in the model of its feature, up to a violation of a property.
///
/// Executes no effect. An action from outside becomes one of the user, and a recorded run's actions and end become an
/// outcome of the modelled run with the same request. If no such run is in progress, the move is left out, as the fence
/// of a store does.
struct Retrace<State: Sendable, Action: Sendable> {
  typealias Place = Exploration<State, Action>.Place

  /// The moves up to a violation.
  struct Finding {
    /// The index of the property.
    let property: Int
    /// The moves up to the violation, without those that could not be made.
    var moves: [RecordedMove<Action>]
  }

  let exploration: Exploration<State, Action>
  /// The moves of the last attempt that could not be made, in words.
  private(set) var leftOut: [String] = []

  /// The shortest list of moves found by leaving moves out; `nil` if the whole recording violates no property.
  mutating func find(in moves: [RecordedMove<Action>]) -> (found: Finding, whole: Int)? {
    guard let found = go(moves, for: nil) else { return nil }
    let left = leftOut
    defer { leftOut = left }
    var shortest = shortened(found, \.moves) { go($0, for: found.property) }
    shortest = answering(shortest)
    return (shortest, found.moves.count)
  }

  /// Makes each run return with its last action, if the moves still violate the property. The printed test is shorter
  /// then: it answers once, instead of sending first and answering afterwards.
  private mutating func answering(_ found: Finding) -> Finding {
    var best = found
    for index in found.moves.indices.reversed() {
      let move = found.moves[index]
      guard move.action == nil, move.end == .returns, index < best.moves.count else { continue }
      var moves = best.moves
      moves.remove(at: index)
      let last = moves[..<index].lastIndex { $0.run?.generation == move.run?.generation }
      guard let last, moves[last].end == .continues else { continue }
      moves[last].end = .returns
      if let shorter = go(moves, for: found.property) { best = shorter }
    }
    return best
  }

  /// - Parameter property: the index of the property to be violated; `nil` for any.
  private mutating func go(_ moves: [RecordedMove<Action>], for property: Int?) -> Finding? {
    var walk = Walk(exploration)
    leftOut = []
    var made: [RecordedMove<Action>] = []
    if let violated = violated(in: walk.places[...], property) {
      return Finding(property: violated, moves: [])
    }
    for move in moves {
      let known = walk.places.count
      guard walk.make(move) else {
        leftOut.append(move.text)
        continue
      }
      made.append(move)
      if let violated = violated(in: walk.places[known...], property) {
        return Finding(property: violated, moves: made)
      }
    }
    return nil
  }

  /// The property violated at the first of these moments that violates one.
  private func violated(in places: ArraySlice<Place>, _ property: Int?) -> Int? {
    for place in places {
      if let found = exploration.property(violatedAt: place, among: property) { return found }
    }
    return nil
  }

  /// The moves as steps of an exploration.
  func way(of moves: [RecordedMove<Action>]) -> (steps: [ExploredStep<Action>], places: [Place]) {
    var walk = Walk(exploration, tells: true)
    for move in moves { _ = walk.make(move) }
    return (walk.steps, walk.places)
  }

  /// One path through the model.
  private struct Walk {
    private let exploration: Exploration<State, Action>
    private let tells: Bool
    private(set) var places: [Place]
    private(set) var steps: [ExploredStep<Action>] = []
    /// The modelled run for each recorded run.
    private var stands: [UInt64: RunKey] = [:]
    /// Actions that closures have sent in the model, in words. The recording has them, too, as actions from outside.
    private var sentByClosures: [String] = []

    /// - Parameter tells: whether to keep the steps.
    init(_ exploration: Exploration<State, Action>, tells: Bool = false) {
      (self.exploration, self.tells) = (exploration, tells)
      places = [exploration.start]
      makeWaiting()
    }

    private var place: Place { places[places.count - 1] }

    /// - Returns: whether the move could be made.
    mutating func make(_ move: RecordedMove<Action>) -> Bool {
      guard let recorded = move.run else {
        guard let action = move.action else { return false }
        if !sentByClosures.isEmpty {
          let text = Spelling.text(of: action)
          if let index = sentByClosures.firstIndex(of: text) {
            sentByClosures.remove(at: index)
            return true
          }
        }
        make(Moves(actions: [action], components: [], outcomes: [], hasRestart: false))
        return true
      }
      guard let run = run(for: recorded, making: move) else { return false }
      guard tells, let action = move.action else {
        make(
          prepared(move, by: run, RunStep(actions: [], end: move.end == .continues ? .continues : .returns)))
        return true
      }
      if let step = step(action, move.end, of: run) {
        make(prepared(move, by: run, step))
      } else {
        makeWithoutDeed(action, move, by: run)
      }
      return true
    }

    /// The store's action does not contain the effect's action. So a test can only send the store's action, as a
    /// component does, and then end the run.
    private mutating func makeWithoutDeed(
      _ action: Action, _ move: RecordedMove<Action>, by run: ModelledRun
    ) {
      make(Moves(actions: [action], components: [run.connection.name], outcomes: [], hasRestart: false))
      let isLive = place.configuration.runs.contains { $0.key == run.key }
      if move.end == .continues || !isLive { return }
      let end = RecordedMove<Action>(action: nil, run: move.run, end: .returns, text: move.text)
      make(prepared(end, by: run, RunStep(actions: [], end: .returns)))
    }

    private mutating func make(_ move: PreparedMove<Action>) {
      make(Moves(actions: [], components: [], outcomes: [move], hasRestart: false))
    }

    private mutating func make(_ moves: Moves<Action>) {
      if tells { steps.append(moves.step(0)) }
      places.append(exploration.place(after: 0, of: moves, from: place))
      makeWaiting()
      let present = Set(place.configuration.runs.map(\.key))
      stands = stands.filter { present.contains($0.value) }
    }

    /// Reduces the actions that closures have sent, which come before any other move.
    private mutating func makeWaiting() {
      while !place.configuration.key.waiting.isEmpty {
        let moves = exploration.moves(from: place)
        if moves.count == 0 { return }
        if case .closure(_, let action) = moves.step(0) { sentByClosures.append(Spelling.text(of: action)) }
        if tells { steps.append(moves.step(0)) }
        places.append(exploration.place(after: 0, of: moves, from: place))
      }
    }

    /// The modelled run for a recorded one: the first with an equal request that stands for no other recorded run. If
    /// several connections or elements ask for an equal request, a run whose connection can make the action of the
    /// move.
    private mutating func run(for recorded: RecordedRun, making move: RecordedMove<Action>) -> ModelledRun? {
      let runs = place.configuration.runs
      if let key = stands[recorded.generation] { return runs.first { $0.key == key } }
      let taken = Set(stands.values)
      let equal = runs.filter {
        $0.connection.name == recorded.name && !taken.contains($0.key) && recorded.isRequest($0.begun)
      }
      let sender = equal.count > 1 ? equal.first { sends(move, $0) } : nil
      let run = sender ?? equal.first
      if let run { stands[recorded.generation] = run.key }
      return run
    }

    /// Whether the connection of a run can make the action of a move.
    private func sends(_ move: RecordedMove<Action>, _ run: ModelledRun) -> Bool {
      guard let action = move.action else { return false }
      let effect = exploration.effect(of: run)
      return effect.ownAction(of: action) != nil || effect.ownFailure(of: action, of: run.request) != nil
    }

    private func prepared(
      _ move: RecordedMove<Action>, by run: ModelledRun, _ step: RunStep
    ) -> PreparedMove<Action> {
      PreparedMove(
        .outcome(ExploredOutcome(step, of: run)), by: run, sending: move.action, end: move.end)
    }

    /// The step of the effect itself; `nil` if the store's action does not contain the effect's. If the action of a
    /// failure does not contain the error, the step is an answer with the same action, which changes the state in the
    /// same way.
    private func step(_ action: Action, _ end: MoveEnd, of run: ModelledRun) -> RunStep? {
      let effect = exploration.effect(of: run)
      if end == .fails, let failure = effect.ownFailure(of: action, of: run.request) {
        return RunStep(actions: [], end: .fails(failure))
      }
      return effect.ownAction(of: action).map {
        RunStep(actions: [$0], end: end == .continues ? .continues : .returns)
      }
    }
  }
}
