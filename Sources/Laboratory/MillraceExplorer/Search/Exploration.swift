import Millrace
import MillraceTesting

/// A feature with its model, and with all that is needed to make a move from an explored moment. Used by one thread.
final class Exploration<State: Sendable, Action: Sendable> {
  /// A moment: the state and its configuration.
  struct Place {
    let state: State
    let configuration: Configuration
  }

  let explorer: Explorer<State, Action>
  let places: EntrancePlaces
  private let feature: FeatureModel<State, Action>
  /// The limits of the model that the feature exceeds, and the reports of the store, in words.
  private let diagnosed: Recorder<String>
  // Copied out of the explorer: reading a part of it would look up its generic type each time.
  private let reduce: Reducer<State, Action>
  private let actions: (@Sendable (State) -> [Action])?
  private let components: [ListedComponent<State, Action>]
  private let restart: (@Sendable (State) -> State)?
  private let properties: [ExploredProperty<State>]
  private let looksAtRuns: Bool
  private(set) var maker: MoveMaker<State, Action>
  /// The configurations so far, by number.
  private(set) var configurations: [Configuration] = []
  /// The number of each decision's configuration without a policy, outcome or closure's action in progress.
  private var plain: [Int32: Int32] = [:]
  private var underway: [ConfigurationKey: Int32] = [:]
  /// Numbers of likenesses, used if the requests in progress belong to the compared part.
  private var likenesses: [ConfigurationLikeness: Int32] = [:]
  /// The moves of runs, by configuration; `nil` if not computed yet, or if they depend on the state.
  private var prepared: [[PreparedMove<Action>]?] = []
  /// The names of the components whose actions are listed.
  private let listedComponents: Set<String>
  /// The moment before the first move.
  private(set) lazy var start: Place = {
    var state = explorer.initialState
    let configuration = begin(&state)
    return Place(state: state, configuration: configuration)
  }()

  init(_ explorer: Explorer<State, Action>) {
    self.explorer = explorer
    let diagnosed = Recorder<String>()
    self.diagnosed = diagnosed
    let options = StoreOptions(diagnostics: StoreDiagnostics { diagnosed.append("\($0)") })
    (reduce, actions, components) = (explorer.reduce, explorer.actions, explorer.components)
    (restart, properties) = (explorer.restart, explorer.properties)
    looksAtRuns = explorer.identity.looksAtRuns
    feature = FeatureModel(
      explorer.initialState, options: options, keepsDecisions: explorer.keepsDecisions,
      noting: { diagnosed.append($0) }, connect: explorer.connect)
    maker = MoveMaker(feature: feature, outcomes: explorer.outcomes)
    places = EntrancePlaces(ofMany: explorer.sharedEntrances)
    listedComponents = Set(explorer.components.map(\.name))
  }

  // MARK: Moves

  /// The legal moves at a moment.
  func moves(from place: Place) -> Moves<Action> { moves(in: place.configuration, place.state) }

  func moves(in configuration: Configuration, _ state: State) -> Moves<Action> {
    let outcomes = outcomes(in: configuration, state)
    if !configuration.key.waiting.isEmpty {
      return Moves(actions: [], components: [], outcomes: outcomes, hasRestart: false)
    }
    var (actions, names) = (actions?(state) ?? [], [String]())
    if !configuration.components.isEmpty {
      let present = Set(configuration.components.map(\.name))
      for component in components where present.contains(component.name) {
        let sent = component.actions(state)
        actions += sent
        names += Array(repeating: component.name, count: sent.count)
      }
    }
    return Moves(actions: actions, components: names, outcomes: outcomes, hasRestart: restart != nil)
  }

  private func outcomes(in configuration: Configuration, _ state: State) -> [PreparedMove<Action>] {
    if let known = prepared[Int(configuration.number)] { return known }
    let moves = maker.moves(of: configuration, state)
    if explorer.keepsDecisions, !maker.dependOnState(configuration) {
      prepared[Int(configuration.number)] = moves
    }
    return moves
  }

  /// Makes one of the legal moves at a moment.
  func place(after index: Int, of moves: Moves<Action>, from place: Place) -> Place {
    var state = place.state
    let configuration = make(index, of: moves, in: &state, place.configuration)
    return Place(state: state, configuration: configuration)
  }

  /// Makes one of the legal moves, changing `state` in place.
  func make(
    _ index: Int, of moves: Moves<Action>, in state: inout State, _ configuration: Configuration
  ) -> Configuration {
    let outcome = index - moves.actions.count
    if outcome < 0 {
      let decision = decision(after: moves.actions[index], in: &state, configuration.key.decision)
      let sent = feature.takeSent()
      if configuration.isPlain, sent.isEmpty, decision == configuration.key.decision { return configuration }
      let key = ConfigurationKey(
        decision: decision, timing: configuration.key.timing, scripts: configuration.key.scripts,
        waiting: WaitingTurns(sent: sent))
      return self.configuration(key, state)
    }
    if outcome == moves.outcomes.count { return restart(&state) }
    return make(moves.outcomes[outcome], in: &state, configuration)
  }

  /// Makes a move that comes by itself.
  private func make(
    _ move: PreparedMove<Action>, in state: inout State, _ configuration: Configuration
  ) -> Configuration {
    var key = ConfigurationKey(
      decision: configuration.key.decision, timing: configuration.key.timing,
      scripts: configuration.key.scripts)
    if let run = move.run {
      switch move.end {
      case .fails:
        key.decision = feature.reported(
          run, at: move.value ?? run.newest, returns: true, from: key.decision)
      case .continues:
        if run.values.count > 1, let value = move.value {
          key.decision = feature.reported(run, at: value, returns: false, from: key.decision)
        }
      case .returns: break
      }
    }
    if move.actions.count > 0 { key.decision = decision(after: move.actions[0], in: &state, key.decision) }
    key.waiting.sent = feature.takeSent()
    if let run = move.run, case .returns = move.end {
      returns(run, at: move.value ?? run.newest, &key)
    }
    if move.isSentByClosure {
      // New turns follow the former ones, the first of which has been made.
      let former = configuration.key.waiting
      key.waiting = WaitingTurns(
        sent: former.sent.dropFirst() + key.waiting.sent, returning: former.returning)
      goOn(&key)
    }
    if let act = move.act { key.timing.make(act, in: places) }
    if let run = move.run, !key.scripts.isEmpty || !move.script.isEmpty {
      key.scripts[run.key] = move.script.isEmpty ? nil : move.script
    }
    return self.configuration(key, state)
  }

  /// Restarts the program with the state that it finds.
  private func restart(_ state: inout State) -> Configuration {
    if let restart { state = restart(state) }
    return begin(&state)
  }

  /// Connects the feature to the state.
  private func begin(_ state: inout State) -> Configuration {
    feature.look(at: state)
    var key = ConfigurationKey(decision: feature.connected())
    key.waiting.sent = feature.takeSent()
    goOn(&key)
    return configuration(key, state)
  }

  private func decision(after action: Action, in state: inout State, _ decision: Int32) -> Int32 {
    feature.leave(state)
    reduce(&state, action)
    feature.look(at: state)
    return feature.next(after: decision)
  }

  // MARK: Closures

  /// Makes a run return after the turns that its last action has led to, unless that action stopped the run. Checked
  /// now: later, a part of the state that has ended may be back, with a run of an equal request.
  private func returns(_ run: ModelledRun, at value: RunValue, _ key: inout ConfigurationKey) {
    if key.waiting.isEmpty {
      key.decision = feature.reported(run, at: value, returns: true, from: key.decision)
    } else if live(run.key, in: key.decision) != nil {
      key.waiting.returning = ReturningRun(run: run.key, value: value)
    }
  }

  private func live(_ run: RunKey, in decision: Int32) -> ModelledRun? {
    feature.runs(in: decision).first { $0.key == run }
  }

  /// Drops actions that are no longer admitted. If no action waits, the run returns, or the `connect` function
  /// continues.
  private func goOn(_ key: inout ConfigurationKey) {
    let decision = key.decision
    key.waiting.sent.removeAll { !feature.admits($0, in: decision) || !($0.action is Action) }
    if let returning = key.waiting.returning {
      let run = live(returning.run, in: key.decision)
      if let run, key.waiting.isEmpty {
        key.decision = feature.reported(run, at: returning.value, returns: true, from: key.decision)
      }
      if run == nil || key.waiting.isEmpty { key.waiting.returning = nil }
    }
    while key.waiting.isEmpty, let further = feature.connected(after: key.decision) {
      key.decision = further
      key.waiting.sent = feature.takeSent()
    }
  }

  // MARK: Configurations

  private func configuration(_ key: ConfigurationKey, _ state: State) -> Configuration {
    let plain = plain(key.decision, state)
    if key.isPlain, plain.isPlain { return plain }
    var key = key
    let effects = feature.effects(in: key.decision)
    // An entrance ends with the only effect that uses it.
    let connected = Set(effects.map(\.number))
    key.timing.entrances = key.timing.entrances.filter {
      connected.contains($0.key.effect) || places.ofMany.contains($0.key)
    }
    let returning = key.waiting.returning?.run
    let runs = returning == nil ? plain.runs : plain.runs.filter { $0.key != returning }
    key.timing.carry(to: runs, in: places) { maker.course(of: $0, state) }
    // A policy holds this run back, and it will begin with the newest value.
    for run in runs where run.values.count > 1 && key.timing.runs[run.key]?.course.isServed == false {
      key.decision = feature.reported(run, at: run.newest, returns: false, from: key.decision)
      return configuration(key, state)
    }
    if !key.scripts.isEmpty {
      let present = Set(plain.runs.map(\.key))
      key.scripts = key.scripts.filter { present.contains($0.key) }
    }
    if key.isPlain, plain.isPlain { return plain }
    if let number = underway[key] { return configurations[Int(number)] }
    let number = Int32(configurations.count)
    underway[key] = number
    let likeness = likeness(of: number) { ConfigurationLikeness(key, plain.runs, effects) }
    return add(
      Configuration(
        number: number, likeness: likeness, key, runs: plain.runs, components: plain.components,
        isTimed: !key.timing.isEmpty))
  }

  private func plain(_ decision: Int32, _ state: State) -> Configuration {
    if let number = plain[decision] { return configurations[Int(number)] }
    let number = Int32(configurations.count)
    plain[decision] = number
    let key = ConfigurationKey(decision: decision)
    let runs = feature.runs(in: decision)
    let isTimed = runs.contains { maker.course(of: $0, state) != nil }
    let likeness = likeness(of: number) {
      let isSettled = runs.allSatisfy { $0.values.count == 1 }
      return ConfigurationLikeness(
        key, isSettled ? [] : runs, isSettled ? [] : feature.effects(in: decision))
    }
    return add(
      Configuration(
        number: number, likeness: likeness, key, runs: runs, components: feature.components(in: decision),
        isTimed: isTimed))
  }

  private func likeness(of number: Int32, _ likeness: () -> ConfigurationLikeness) -> Int32 {
    if !looksAtRuns { return number }
    let likeness = likeness()
    if let known = likenesses[likeness] { return known }
    likenesses[likeness] = number
    return number
  }

  private func add(_ configuration: Configuration) -> Configuration {
    configurations.append(configuration)
    prepared.append(nil)
    return configuration
  }

  func effect(of run: ModelledRun) -> any EffectModel { feature.effect(of: run.key) }

  // MARK: Omissions and problems

  /// The connected components whose actions are not listed.
  var unlistedComponents: [String] {
    let names = configurations.flatMap(\.components).filter { !listedComponents.contains($0.name) }
    return Set(names.map(\.description)).sorted()
  }

  /// Outcomes that do not fit, limits of the model that the feature exceeds, and reports of the store, each once.
  var problems: [String] {
    (maker.misfits + diagnosed.values).reduce(into: []) {
      if !$0.contains($1) { $0.append($1) }
    }
  }

  /// The index of the first property that the state of a moment violates.
  ///
  /// - Parameter sought: the index of the only property that counts; `nil` if all do.
  func property(violatedAt place: Place, among sought: Int? = nil) -> Int? {
    properties.indices.first { index in
      (sought ?? index) == index
        && properties[index].isViolated(by: place.state, place.configuration.running)
    }
  }

  // MARK: Repeating paths

  /// Repeats a path from the initial state.
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
