import Millrace

/// What is decided at one moment, apart from the state: what runs and has finished in each effect, with the moves that
/// this makes legal. Without the type of the actions, so that no type is looked up where configurations are.
final class Configuration {
  let number: Int32
  let running: RunningRequests
  /// The `PreparedMoves`; `nil` where the runs differ from moment to moment, as where a lifetime begins again.
  fileprivate let moves: AnyObject?
  /// Whether a run acts by itself, or something that runs share changes with time.
  let isTimed: Bool
  /// How far these runs are, and what they share.
  let timing: Timing
  /// What the effects of each declared part have decided, by number.
  let parts: [Int32]
  /// The part of each of the moves, if it belongs to one.
  let partsOfMoves: [Int?]?

  init<Action>(
    number: Int32, running: RunningRequests, moves: [PreparedMove<Action>]?, isTimed: Bool,
    timing: Timing = Timing(), parts: [Int32]
  ) {
    self.number = number
    self.running = running
    self.moves = moves.map(PreparedMoves.init)
    self.isTimed = isTimed
    self.timing = timing
    self.parts = parts
    partsOfMoves = moves?.map(\.part)
  }
}

private final class PreparedMoves<Action: Sendable> {
  let all: [PreparedMove<Action>]

  init(_ all: [PreparedMove<Action>]) { self.all = all }
}

/// An outcome of a run that can be performed again and again. A class, since lists of it are read at every move.
final class PreparedMove<Action: Sendable> {
  let event: MoveEvent
  let steps: [MoveStep<Action>]
  /// The actions that are reduced, unless the run is stopped before.
  let actions: [Action]
  /// What it is to the runs that act by themselves; `nil` if it is of another run.
  let act: Timing.Act?
  /// The declared part to which it belongs, if it does to one.
  let part: Int?

  init(
    _ event: MoveEvent, steps: [MoveStep<Action>] = [], act: Timing.Act? = nil, part: Int? = nil
  ) {
    self.event = event
    self.steps = steps
    actions = steps.compactMap(\.action)
    self.act = act
    self.part = part
  }
}

/// What happens by a move that is not the user's. Without the type of the actions, since this is copied at every move.
enum MoveEvent {
  case outcome(ExploredOutcome)
  case time(Duration)

  var outcome: ExploredOutcome? { if case .outcome(let outcome) = self { outcome } else { nil } }
}

/// The configurations that were met, each with a number.
final class Configurations<Action: Sendable> {
  private(set) var all: [Configuration] = []
  private var byObjects: [[ObjectIdentifier]: Int32] = [:]
  private var byTiming: [TimedKey: Int32] = [:]
  private var byContents: [Set<EffectGroup>: Int32] = [:]
  /// Keeps what `byObjects` refers to.
  private var kept: [SavedMoment] = []
  private let outcomes: [OutcomeList]
  let places: EntrancePlaces
  private var parts: ConfigurationParts<Action>?
  /// The effects of whose requests no outcome is listed, and outcomes that do not fit.
  private(set) var unlisted: [String] = []
  private(set) var misfits: [String] = []

  /// Whether equal decisions are the same objects, so that their runs are.
  private let areRunsFixed: Bool

  init(
    _ outcomes: [OutcomeList], areRunsFixed: Bool, _ division: Division<Action>?, _ places: EntrancePlaces
  ) {
    self.outcomes = outcomes
    self.places = places
    self.areRunsFixed = areRunsFixed
    parts = division.map(ConfigurationParts.init)
  }

  /// The number of the configuration in which the effects of each declared part have decided this; `nil` if it was not
  /// met.
  func number(of decisions: [Int32]) -> Int32? { parts?.configurations[decisions] }

  /// The configuration of a moment.
  func configuration(of moment: SavedMoment) -> Configuration {
    if let number = moment.mark { return all[Int(number)] }
    let objects = moment.objects
    if let objects, let number = byObjects[objects] { return all[Int(number)] }
    let effects = moment.effects
    let groups = EffectGroup.groups(of: effects)
    let number = byContents[groups] ?? Int32(all.count)
    if number == all.count { all.append(new(number, effects, isFixed: areRunsFixed && objects != nil)) }
    byContents[groups] = number
    moment.mark = number
    if moment.mark == nil, let objects {
      byObjects[objects] = number
      kept.append(moment)
    }
    return all[Int(number)]
  }

  // MARK: Moves

  /// The moves of the runs of a configuration.
  func moves(of configuration: Configuration, at moment: SavedMoment) -> [PreparedMove<Action>] {
    guard let moves = configuration.moves else { return self.moves(at: moment, configuration.timing) }
    return unsafeDowncast(moves, to: PreparedMoves<Action>.self).all  // it has nothing else
  }

  private func moves(at moment: SavedMoment, _ timing: Timing) -> [PreparedMove<Action>] {
    let next = timing.nextDue
    let moves = Self.runs(of: moment.effects).flatMap { self.moves(of: $0, timing, next) }
    guard let next, timing.nextChange == next else { return moves }
    return moves + [PreparedMove(.time(next), act: .passes)]
  }

  private struct TimedKey: Hashable {
    let number: Int32
    let timing: Timing
  }

  /// The configuration of a moment whose runs act by themselves.
  ///
  /// - Parameter timing: how far they are after the last move.
  func configuration(
    of moment: SavedMoment, _ untimed: Configuration, after timing: Timing
  ) -> Configuration {
    let effects = moment.effects
    var timing = timing
    timing.keepEntrances(of: Set(effects.map(\.place)), in: places)
    timing.carry(to: Self.runs(of: effects), in: places, beginning: course)
    if timing.isEmpty, !untimed.isTimed { return untimed }
    let key = TimedKey(number: untimed.number, timing: timing)
    if let number = byTiming[key] { return all[Int(number)] }
    let moves = untimed.moves == nil ? [PreparedMove<Action>]?.none : self.moves(at: moment, timing)
    let number = Int32(all.count)
    byTiming[key] = number
    let parts = parts?.numbers(of: effects, timing, in: number) ?? []
    all.append(
      Configuration(
        number: number, running: untimed.running, moves: moves, isTimed: true, timing: timing, parts: parts))
    return all[Int(number)]
  }

  /// A run that acts by itself, at its beginning; `nil` for one that does not, also where the test lists what it sends in
  /// place of what the effect tells.
  private func course(of run: AnswerableRun) -> (any RunCourse)? {
    guard let course = (run.run.effect as? any TimedEffect)?.erasedCourse(of: run.request) else { return nil }
    guard case .sends? = course.dues.first?.kind else { return course }
    let isListed = outcomes.contains { $0.isAbout(run.run) && $0.entries(run.request) != nil }
    return isListed ? nil : course
  }

  private func new(
    _ number: Int32, _ effects: [SavedMoment.Effect], isFixed: Bool
  ) -> Configuration {
    let runs = Self.runs(of: effects)
    let running = RunningRequests(all: runs.filter { !$0.wasStopped }.map(\.request))
    let isTimed = runs.contains { course(of: $0) != nil }
    return Configuration(
      number: number, running: running,
      moves: isFixed ? runs.flatMap { isTimed ? [] : moves(of: $0, Timing(), nil) } : nil, isTimed: isTimed,
      parts: parts?.numbers(of: effects, Timing(), in: number) ?? [])
  }

  /// All runs, in an order that does not vary from one process to the next, as that of a set does.
  private static func runs(of effects: [SavedMoment.Effect]) -> [AnswerableRun] {
    effects.flatMap { effect in
      effect.runs.map { (text: Spelling.text(of: $0.request), run: $0) }.sorted { $0.text < $1.text }
        .map(\.run)
    }
  }

  /// - Parameter next: the time until something is due.
  private func moves(
    of answerable: AnswerableRun, _ timing: Timing, _ next: Duration?
  ) -> [PreparedMove<Action>] {
    let (run, request) = (answerable.run, answerable.request)
    let name = run.connection.name
    let key = timing.isEmpty ? nil : Timing.Key(answerable)
    let course = key.flatMap { timing.runs[$0]?.course }
    var moves: [PreparedMove<Action>] = []
    var isListed = false
    if let key, let course {
      let dues = timing.dues(of: key)
      moves = dues.filter { $0.due.wait == next }.compactMap { move(of: answerable, $0) }
      if !course.isServed { return moves }
      isListed = !dues.isEmpty
    }
    for list in outcomes where list.isAbout(run) {
      guard let entries = list.entries(request) else { continue }
      isListed = true
      for entry in entries {
        var (told, act) = (entry, Timing.Act?.none)
        if let key, let course { (told, act) = Self.told(entry, key, course) }
        guard let steps = Self.steps(of: run, told) else {
          note(Self.misfit(of: run, entry), in: \.misfits)
          continue
        }
        let outcome = ExploredOutcome(told, of: answerable)
        let part = parts?.division.part(of: steps, by: run)
        moves.append(PreparedMove(.outcome(outcome), steps: steps, act: act, part: part))
      }
    }
    if !isListed { note("\(name) (\(Spelling.name(of: type(of: request))))", in: \.unlisted) }
    return moves
  }

  /// What a run does by itself when it is due.
  private func move(
    of run: AnswerableRun, _ next: (due: DueAct, act: Timing.Act)
  ) -> PreparedMove<Action>? {
    let entry =
      switch next.due.kind {
      case .begins: OutcomeList.Entry(actions: [], end: .goesOn)
      case .sends(let actions): OutcomeList.Entry(actions: actions, end: .goesOn)
      case .answers(let actions): OutcomeList.Entry(actions: actions, end: .returns)
      case .fails(let error): OutcomeList.Entry(actions: [], end: .fails(error))
      case .repeats(let actions, let error): OutcomeList.Entry(actions: actions, end: .repeats(after: error))
      }
    let outcome = ExploredOutcome(entry, of: run, after: next.due.wait)
    return Self.steps(of: run.run, entry).map {
      PreparedMove(.outcome(outcome), steps: $0, act: next.act)
    }
  }

  /// What becomes of a listed outcome of a run that acts by itself: it may go on where the outcome ends it.
  private static func told(
    _ entry: OutcomeList.Entry, _ key: Timing.Key, _ course: any RunCourse
  ) -> (OutcomeList.Entry, Timing.Act?) {
    var course = course
    var failure: (any Error)?
    switch entry.end {
    case .goesOn, .repeats: return (entry, nil)
    case .returns: break
    case .fails(let error): failure = error
    }
    guard let sent = course.end(by: failure) else { return (entry, .answered(key, course, ends: true)) }
    let told = OutcomeList.Entry(actions: entry.actions + sent, end: .repeats(after: failure))
    return (told, .answered(key, course, ends: false))
  }

  /// What the store does when the run comes to an outcome; `nil` where types do not fit.
  private static func steps(of run: HeldRun, _ entry: OutcomeList.Entry) -> [MoveStep<Action>]? {
    var steps: [MoveStep<Action>] = []
    for action in entry.actions {
      guard let action = run.storeAction(of: action) as? Action else { return nil }
      steps.append(.sends(action, run))
    }
    switch entry.end {
    case .goesOn, .repeats: break
    case .returns: steps.append(.returns(run))
    case .fails(let error):
      guard let action = run.storeAction(ofFailure: error) as? Action else { return nil }
      steps += [.returns(run), .reduces(action)]
    }
    return steps
  }

  private func note(_ text: String, in list: ReferenceWritableKeyPath<Configurations, [String]>) {
    if !self[keyPath: list].contains(text) { self[keyPath: list].append(text) }
  }

  private static func misfit(of run: HeldRun, _ entry: OutcomeList.Entry) -> String {
    let given =
      (entry.actions.map { "sends \(Spelling.text(of: $0))" } + [entry.failureText].compactMap(\.self))
      .joined(separator: ", ")
    return "\(run.connection.name) sends \(Spelling.name(of: run.actionType)) and throws "
      + "\(Spelling.name(of: run.failureType)); an outcome \(given)"
  }
}

extension SavedMoment.Effect {
  /// Where it is connected.
  var place: EffectPlace { EffectPlace(contents.connection, contents.whereabouts) }
}

/// What the effects of one place have decided, in the order in which they were connected. Lifetimes of parts
/// may have begun in any order.
private struct EffectGroup: Hashable {
  let whereabouts: [AnyHashable]
  let effects: [EffectContents]

  static func groups(of effects: [SavedMoment.Effect]) -> Set<EffectGroup> {
    Set(
      Dictionary(grouping: effects.map(\.contents), by: \.whereabouts)
        .map { EffectGroup(whereabouts: $0, effects: $1) })
  }
}

extension OutcomeList.Entry {
  fileprivate var failureText: String? {
    if case .fails(let error) = end { "throws \(Spelling.text(of: error))" } else { nil }
  }
}

extension ExploredOutcome {
  fileprivate init(
    _ entry: OutcomeList.Entry, of answerable: AnswerableRun, after passed: Duration? = nil
  ) {
    self.passed = passed
    effect = answerable.run.connection.name
    request = answerable.request
    parts = answerable.run.parts
    actions = entry.actions
    wasStopped = answerable.wasStopped
    switch entry.end {
    case .returns: (failure, goesOn, isRepeated) = (nil, false, false)
    case .goesOn: (failure, goesOn, isRepeated) = (nil, true, false)
    case .fails(let error): (failure, goesOn, isRepeated) = (error, false, false)
    case .repeats(let error): (failure, goesOn, isRepeated) = (error, true, true)
    }
  }
}
