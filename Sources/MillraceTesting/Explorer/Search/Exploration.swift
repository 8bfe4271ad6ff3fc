import Millrace

/// The feature in a real store, connected once, with what is needed to make a move from any explored moment.
final class Exploration<State: Sendable, Action: Sendable> {
  /// A place of the exploration: the state, and what the store had decided in it. A class, since copying a generic value
  /// of several words costs more than making an object.
  final class Place {
    let state: State
    let moment: SavedMoment
    let configuration: Configuration

    required init(state: State, moment: SavedMoment, configuration: Configuration) {
      self.state = state
      self.moment = moment
      self.configuration = configuration
    }
  }

  /// Takes the runs. A stopped one has returned at once.
  private final class Holder: RunHolder {
    func begun(_ run: HeldRun) {}
    func stopped(_ run: HeldRun) { run.finish() }
  }

  let explorer: Explorer<State, Action>
  private let actions: @Sendable (State) -> [Action]
  private let restart: (@Sendable (State) -> State)?
  let store: ExploredStore<State, Action>
  private let diagnosed = Recorder<String>()
  /// Which moves belong to which declared part; `nil` where none is declared.
  let division: Division<Action>?
  let configurations: Configurations<Action>
  let start: Place
  /// Looked up once, since the runtime takes as long for that as for making a place.
  private let placeType = Place.self

  init(_ explorer: Explorer<State, Action>) {
    self.explorer = explorer
    actions = explorer.actions ?? { _ in [] }
    restart = explorer.restart
    var options = StoreOptions(
      diagnostics: StoreDiagnostics { [diagnosed] in diagnosed.append("\($0)") }, loopBudget: .unlimited)
    options.seams.holder = Holder()
    options.seams.servesDisplays = false
    // A stopped run without a fence may be beside another one of an equal request, and they must not be mixed up.
    let isRemembering = explorer.remembersDecisions && explorer.fences
    options.seams.remembersDecisions = isRemembering
    options.seams.fences = explorer.fences
    let root = Store(
      initialState: explorer.initialState, on: .immediate, options: options, reduce: explorer.reduce)
    explorer.connect(root)
    store = ExploredStore(root)
    division = explorer.parts.isEmpty ? nil : Division(explorer.parts, store)
    configurations = Configurations(
      explorer.outcomes, areRunsFixed: isRemembering, division,
      EntrancePlaces(ofMany: explorer.sharedEntrances))
    let moment = store.save()
    var configuration = configurations.configuration(of: moment)
    if configuration.isTimed {
      configuration = configurations.configuration(of: moment, configuration, after: Timing())
    }
    start = Place(state: store.state, moment: moment, configuration: configuration)
  }

  /// What the store has reported, each message once.
  var diagnostics: [String] {
    diagnosed.values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  // MARK: Moves

  /// The moves that are legal in a place.
  func moves(from place: Place) -> Moves<Action> {
    Moves(
      actions: actions(place.state),
      outcomes: configurations.moves(of: place.configuration, at: place.moment),
      hasRestart: restart != nil)
  }

  /// Makes one of the moves that are legal in a place.
  func place(after index: Int, of moves: Moves<Action>, from place: Place) -> Place {
    let moment: SavedMoment
    let outcome = index - moves.actions.count
    if outcome < 0 {
      moment = store.make(moves.actions[index], from: place.state, place.moment)
    } else if outcome < moves.outcomes.count {
      moment = store.make(moves.outcomes[outcome].steps, from: place.state, place.moment)
    } else {
      store.restore(place.state, place.moment)
      store.restart { state in if let restart { state = restart(state) } }
      moment = store.save(after: place.moment)
    }
    let configuration = configuration(of: moment, after: outcome, of: moves, from: place)
    return placeType.init(state: store.state, moment: moment, configuration: configuration)
  }

  private func configuration(
    of moment: SavedMoment, after outcome: Int, of moves: Moves<Action>, from place: Place
  ) -> Configuration {
    let wasTimed = place.configuration.isTimed
    if !wasTimed, moment.hasSameDecisions(as: place.moment) { return place.configuration }
    let found = configurations.configuration(of: moment)
    if !wasTimed, !found.isTimed { return found }
    var timing = outcome < moves.outcomes.count ? place.configuration.timing : Timing()
    if outcome >= 0, outcome < moves.outcomes.count, let act = moves.outcomes[outcome].act {
      timing.make(act, in: configurations.places)
    }
    return configurations.configuration(of: moment, found, after: timing)
  }
}

/// The moves that are legal in one place, in the order in which they are explored.
struct Moves<Action: Sendable> {
  let actions: [Action]
  let outcomes: [PreparedMove<Action>]
  let hasRestart: Bool

  var count: Int { actions.count + outcomes.count + (hasRestart ? 1 : 0) }

  /// A move as a value.
  func step(_ index: Int) -> ExploredStep<Action> {
    if index < actions.count { return .action(actions[index]) }
    let index = index - actions.count
    if index == outcomes.count { return .restart }
    return switch outcomes[index].event {
    case .outcome(let outcome): .outcome(outcome)
    case .time(let time): .time(time)
    }
  }
}
