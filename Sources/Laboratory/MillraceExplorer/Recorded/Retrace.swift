import Millrace
import MillraceSpelling

/// Goes the way of a recorded program in the model of its feature, up to a violation of a property.
///
/// Nothing is executed: an action from outside is the user's, and what a recorded run sent or came to is an outcome of the
/// run in the model that has its request. A move of a run that is not in progress there is left out, as the fence of a
/// store does.
struct Retrace<State: Sendable, Action: Sendable> {
  typealias Place = Exploration<State, Action>.Place

  /// A way to a violation.
  struct Finding {
    /// The index of the property.
    let property: Int
    /// The moves up to there that could be made.
    var moves: [RecordedMove<Action>]
  }

  private let exploration: Exploration<State, Action>
  private let properties: [ExploredProperty<State>]
  /// The moves of the way that was gone last which could not be made, in words.
  private(set) var leftOut: [String] = []

  init(_ exploration: Exploration<State, Action>) {
    self.exploration = exploration
    properties = exploration.explorer.properties
  }

  /// The shortest way that leaving moves out comes to; `nil` if the whole way violates no property.
  mutating func find(in moves: [RecordedMove<Action>]) -> (found: Finding, whole: Int)? {
    guard let found = go(moves, for: nil) else { return nil }
    let left = leftOut
    defer { leftOut = left }
    var shortest = shortened(found, \.moves) { go($0, for: found.property) }
    shortest = answering(shortest)
    return (shortest, found.moves.count)
  }

  /// Lets each run return with its last action, if the way still violates the property. The printed test is shorter then:
  /// it answers once, and does not send first and answer afterwards.
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

  /// - Parameter property: the property that has to be violated; `nil` for any.
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

  /// The property that the first of these places violates that violates one.
  private func violated(in places: ArraySlice<Place>, _ property: Int?) -> Int? {
    for place in places {
      let running = place.configuration.running
      let found = properties.indices.first { index in
        (property ?? index) == index && properties[index].isViolated(by: place.state, running)
      }
      if let found { return found }
    }
    return nil
  }

  /// A way as the steps of an exploration.
  func way(of moves: [RecordedMove<Action>]) -> (steps: [ExploredStep<Action>], places: [Place]) {
    var walk = Walk(exploration, tells: true)
    for move in moves { _ = walk.make(move) }
    return (walk.steps, walk.places)
  }

  /// One way through the model.
  private struct Walk {
    private let exploration: Exploration<State, Action>
    private let tells: Bool
    private(set) var places: [Place]
    private(set) var steps: [ExploredStep<Action>] = []
    /// The runs of the model that stand for recorded ones.
    private var stands: [UInt64: RunKey] = [:]
    /// What closures have sent here, in words. The recording has it, too, as actions from outside.
    private var sentByClosures: [String] = []

    /// - Parameter tells: whether the steps are kept.
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

    /// The connection makes the action from one of the effect's that is not in it. So a test can only send the action, as a
    /// component does, and then have the run end.
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

    /// Before anything else happens, what closures have sent is reduced.
    private mutating func makeWaiting() {
      while !place.configuration.waiting.isEmpty {
        let moves = exploration.moves(from: place)
        if moves.count == 0 { return }
        if case .closure(_, let action) = moves.step(0) { sentByClosures.append(Spelling.text(of: action)) }
        if tells { steps.append(moves.step(0)) }
        places.append(exploration.place(after: 0, of: moves, from: place))
      }
    }

    /// The run that stands for a recorded one: the first that has its request and stands for no other. Where several
    /// connections or elements ask for an equal request, it is one whose connection makes the action of the move.
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

    /// Whether the connection of a run makes the action of a move.
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

    /// The step of the effect itself; `nil` where the store's action does not have the effect's. A failure whose error is
    /// not in the action becomes an answer with the same action: that changes the state in the same way.
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
