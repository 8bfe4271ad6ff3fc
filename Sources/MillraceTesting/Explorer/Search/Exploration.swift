import Millrace

/// A feature beside its model, with what is needed to make a move from any explored moment. Used by one thread.
final class Exploration<State: Sendable, Action: Sendable> {
  /// A moment: the state, and what is decided in it.
  struct Place {
    let state: State
    let configuration: Configuration
  }

  let explorer: Explorer<State, Action>
  let places: EntrancePlaces
  private let feature: FeatureModel<State, Action>
  private let diagnosed: Recorder<String>
  private var maker: MoveMaker<State, Action>
  /// The configurations that were met, by number.
  private(set) var configurations: [Configuration] = []
  /// Those in which no policy and no outcome is under way, by decision.
  private var plain: [Int32: Int32] = [:]
  private var underway: [ConfigurationKey: Int32] = [:]
  /// The moves of runs, by configuration; `nil` where they were not looked at or depend on the state.
  private var prepared: [[PreparedMove<Action>]?] = []
  /// The components of which it is listed what they send.
  private let listedComponents: Set<String>
  /// The state in which the last move has ended.
  private(set) var reached: State
  /// The moment before the first move.
  private(set) lazy var start: Place = {
    reached = explorer.initialState
    let configuration = begin()
    return Place(state: reached, configuration: configuration)
  }()

  init(_ explorer: Explorer<State, Action>) {
    self.explorer = explorer
    let diagnosed = Recorder<String>()
    self.diagnosed = diagnosed
    let options = StoreOptions(diagnostics: StoreDiagnostics { diagnosed.append("\($0)") })
    reached = explorer.initialState
    feature = FeatureModel(explorer.initialState, options: options, connect: explorer.connect)
    maker = MoveMaker(feature, explorer.outcomes)
    places = EntrancePlaces(ofMany: explorer.sharedEntrances)
    listedComponents = Set(explorer.components.map(\.name))
  }

  // MARK: Moves

  /// The moves that are legal in a place.
  func moves(from place: Place) -> Moves<Action> { moves(in: place.configuration, place.state) }

  func moves(in configuration: Configuration, _ state: State) -> Moves<Action> {
    Moves(
      user: explorer.actions?(state) ?? [], components: componentMoves(in: configuration, state),
      outcomes: outcomes(in: configuration, state), hasRestart: explorer.restart != nil)
  }

  private func outcomes(in configuration: Configuration, _ state: State) -> [PreparedMove<Action>] {
    let number = Int(configuration.number)
    if let known = prepared[number] { return known }
    let moves = maker.moves(of: configuration, state)
    if !maker.dependOnState(configuration) { prepared[number] = moves }
    return moves
  }

  private func componentMoves(
    in configuration: Configuration, _ state: State
  ) -> [(name: String, action: Action)] {
    if configuration.components.isEmpty { return [] }
    let present = Set(configuration.components.map(\.name))
    return explorer.components.filter { present.contains($0.name) }.flatMap { component in
      component.actions(state).map { (component.name, $0) }
    }
  }

  /// Makes one of the moves that are legal in a place.
  func place(after index: Int, of moves: Moves<Action>, from place: Place) -> Place {
    let configuration = make(index, of: moves, from: place.state, place.configuration)
    return Place(state: reached, configuration: configuration)
  }

  /// Makes one of the moves that are legal in a state. The state that it leads to is `reached`.
  func make(
    _ index: Int, of moves: Moves<Action>, from state: State, _ configuration: Configuration
  ) -> Configuration {
    reached = state
    var decision = configuration.decision
    let outcome = index - moves.user.count - moves.components.count
    if outcome < 0 {
      reduce(
        index < moves.user.count ? moves.user[index] : moves.components[index - moves.user.count].action,
        &decision)
      return self.configuration(decision, configuration.timing, configuration.scripts, after: configuration)
    }
    if outcome == moves.outcomes.count { return restart() }
    let move = moves.outcomes[outcome]
    if case .fails(let action) = move.end, let run = move.run {
      decision = feature.returned(run, from: decision)
      reduce(action, &decision)
    } else {
      if let action = move.action { reduce(action, &decision) }
      if case .returns = move.end, let run = move.run { decision = feature.returned(run, from: decision) }
    }
    var (timing, scripts) = (configuration.timing, configuration.scripts)
    if let act = move.act { timing.make(act, in: places) }
    if let run = move.run, !scripts.isEmpty || !move.script.isEmpty {
      scripts[run.key] = move.script.isEmpty ? nil : move.script
    }
    return self.configuration(decision, timing, scripts, after: configuration)
  }

  /// The program begins with the state that a restart finds.
  private func restart() -> Configuration {
    if let restart = explorer.restart { reached = restart(reached) }
    return begin()
  }

  /// The feature is connected to the state.
  private func begin() -> Configuration {
    feature.look(at: reached)
    var decision = feature.connected()
    reduceSent(&decision)
    return configuration(decision, Timing(), [:], after: nil)
  }

  private func reduce(_ action: Action, _ decision: inout Int32) {
    reduceAlone(action, &decision)
    reduceSent(&decision)
  }

  private func reduceAlone(_ action: Action, _ decision: inout Int32) {
    explorer.reduce(&reached, action)
    feature.look(at: reached)
    decision = feature.next(after: decision)
  }

  /// Reduces what lifetimes' closures have dispatched, in the order in which it was sent. Nothing else comes between.
  private func reduceSent(_ decision: inout Int32) {
    guard var waiting = feature.takeSent()?[...] else { return }
    while let sent = waiting.popFirst() {
      guard let action = sent.action as? Action, feature.admits(sent, in: decision) else { continue }
      reduceAlone(action, &decision)
      waiting += feature.takeSent() ?? []
    }
  }

  // MARK: Configurations

  private func configuration(
    _ decision: Int32, _ timing: Timing, _ scripts: [RunKey: RunScript], after last: Configuration?
  ) -> Configuration {
    let isPlain = scripts.isEmpty && timing.isEmpty
    if isPlain, let last, last.decision == decision, !last.isTimed, last.scripts.isEmpty { return last }
    let plain = plain(decision)
    if isPlain, !plain.isTimed { return plain }
    var (timing, scripts) = (timing, scripts)
    timing.keepEntrances(of: feature.effects(in: decision), in: places)
    timing.carry(to: plain.runs, in: places) { maker.course(of: $0, reached) }
    if !scripts.isEmpty {
      let present = Set(plain.runs.map(\.key))
      scripts = scripts.filter { present.contains($0.key) }
    }
    if timing.isEmpty, scripts.isEmpty, !plain.isTimed { return plain }
    let key = ConfigurationKey(decision: decision, timing: timing, scripts: scripts)
    if let number = underway[key] { return configurations[Int(number)] }
    underway[key] = Int32(configurations.count)
    return add(
      Configuration(
        number: Int32(configurations.count), decision: decision, timing: timing, scripts: scripts,
        runs: plain.runs, components: plain.components, isTimed: !timing.isEmpty || plain.isTimed))
  }

  private func plain(_ decision: Int32) -> Configuration {
    if let number = plain[decision] { return configurations[Int(number)] }
    plain[decision] = Int32(configurations.count)
    let runs = feature.runs(in: decision)
    return add(
      Configuration(
        number: Int32(configurations.count), decision: decision, timing: Timing(), scripts: [:], runs: runs,
        components: feature.components(in: decision),
        isTimed: runs.contains { maker.course(of: $0, reached) != nil }))
  }

  private func add(_ configuration: Configuration) -> Configuration {
    configurations.append(configuration)
    prepared.append(nil)
    return configuration
  }

  // MARK: What was noticed

  /// The components that are connected and of which nothing is listed.
  var unlistedComponents: [String] {
    let names = configurations.flatMap(\.components).filter { !listedComponents.contains($0.name) }
    return Set(names.map(\.description)).sorted()
  }

  var unlisted: [String] { maker.unlisted }
  var unusedOutcomes: [String] { maker.unused }

  /// Outcomes that do not fit, what the model cannot follow, and what the store has reported, each once.
  var problems: [String] {
    (maker.misfits + feature.problems + diagnosed.values).reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    }
  }

  // MARK: Ways

  /// Goes a way from the initial state once more.
  func way(by path: [Int]) -> (steps: [ExploredStep<Action>], places: [Place]) {
    var places = [start]
    var steps: [ExploredStep<Action>] = []
    for index in path {
      let place = places[places.count - 1]
      let moves = moves(from: place)
      steps.append(moves.step(index))
      places.append(self.place(after: index, of: moves, from: place))
    }
    return (steps, places)
  }
}
