import Millrace
import MillraceEffects
import MillraceSpelling

/// Prepares the moves of runs from the listed outcomes and from the policies around the effects.
struct MoveMaker<State: Sendable, Action: Sendable> {
  let feature: FeatureModel<State, Action>
  let outcomes: [OutcomeList<State>]
  /// The effects whose requests have no listed outcomes, and outcomes that do not fit.
  private(set) var unlisted: [String] = []
  private(set) var misfits: [String] = []
  /// The indices of the lists that were used for a request.
  private(set) var used: Set<Int> = []

  /// The lists that were used for no request.
  var unused: [String] { outcomes.indices.filter { !used.contains($0) }.map { outcomes[$0].text } }

  /// Whether the moves of a configuration depend on the state.
  func dependOnState(_ configuration: Configuration) -> Bool {
    configuration.runs.contains { looksAtRun($0) }
  }

  /// Whether outcomes of a run depend on the actions that it has sent.
  func looksAtRun(_ run: ModelledRun) -> Bool {
    let effect = feature.effect(of: run.key)
    return outcomes.contains { $0.looksAtRun && $0.isAbout(effect) }
  }

  /// The initial progress of a run that acts by itself. `nil` for other runs, and if the test lists the actions that
  /// the effect would send by itself.
  func course(of run: ModelledRun, _ state: State) -> (any RunCourse)? {
    let effect = feature.effect(of: run.key)
    guard let course = effect.course(of: run.request) else { return nil }
    guard case .sends? = course.dues.first?.kind else { return course }
    let isListed = outcomes.contains { $0.isAbout(effect) && $0.steps(run.request, state, []) != nil }
    return isListed ? nil : course
  }

  /// The moves of all runs.
  mutating func moves(of configuration: Configuration, _ state: State) -> [PreparedMove<Action>] {
    if let first = configuration.key.waiting.sent.first {
      return [PreparedMove(.closure(first.name), sending: first.action as? Action)]
    }
    let timing = configuration.key.timing
    let next = timing.nextDue
    var moves: [PreparedMove<Action>] = []
    for run in configuration.runs {
      let script = configuration.key.scripts[run.key] ?? RunScript()
      moves += self.moves(of: run, timing, next, script, state)
    }
    guard let next, timing.nextChange == next else { return moves }
    return moves + [PreparedMove(.time(next), act: .passes)]
  }

  /// - Parameter next: the time until the next act.
  private mutating func moves(
    of run: ModelledRun, _ timing: Timing, _ next: Duration?, _ script: RunScript, _ state: State
  ) -> [PreparedMove<Action>] {
    let effect = feature.effect(of: run.key)
    let course = timing.runs[run.key]?.course
    let dues = course == nil ? [] : timing.dues(of: run.key)
    var moves: [PreparedMove<Action>] = []
    if let rest = script.rest {
      moves = [move(of: run, at: script.value, effect, rest, script, course)].compactMap(\.self)
      // A time limit may end the run first.
      for due in dues where due.due.wait == next && due.due.kind.endsAttempt {
        moves += self.moves(of: run, effect, due, RunScript())
      }
      return moves
    }
    for due in dues where due.due.wait == next { moves += self.moves(of: run, effect, due, script) }
    // The outcomes of a run that waits are no moves, but their lists are used.
    let isServed = course?.isServed ?? true
    var isListed = !dues.isEmpty || !isServed
    for (index, list) in outcomes.enumerated() where list.isAbout(effect) {
      if !isServed, used.contains(index) { continue }
      for value in run.values {
        guard let steps = list.steps(value.request, state, script.sent) else { continue }
        used.insert(index)
        isListed = true
        if isServed { moves += steps.compactMap { move(of: run, at: value, effect, $0, script, course) } }
      }
    }
    if !isListed {
      let text = "\(run.connection.name) (\(Spelling.name(of: type(of: run.request))))"
      if !unlisted.contains(text) { unlisted.append(text) }
    }
    return moves
  }

  /// The moves of a run that acts by itself. Only its end shows whether it has taken its newest value.
  private mutating func moves(
    of run: ModelledRun, _ effect: any EffectModel, _ due: (due: DueAct, act: Timing.Act),
    _ script: RunScript
  ) -> [PreparedMove<Action>] {
    let values =
      switch due.due.kind {
      case .answers, .fails: run.values.count > 1 ? [run.values[0], run.newest] : [run.newest]
      case .begins, .sends, .repeats: [RunValue?.none]
      }
    return values.compactMap {
      move(of: run, at: $0, effect, RunStep(due), script, nil, after: due.due.wait)
    }
  }

  /// The first move of a run's step; `nil` if types do not fit.
  ///
  /// - Parameters:
  ///   - value: the value of its request that the run serves; `nil` if the move does not show that.
  ///   - course: the progress of the policies around the effect; `nil` if there are none or the run acts by itself.
  ///   - passed: the time after which the run acts by itself.
  private mutating func move(
    of run: ModelledRun, at value: RunValue?, _ effect: any EffectModel, _ step: RunStep,
    _ script: RunScript,
    _ course: (any RunCourse)?, after passed: Duration? = nil
  ) -> PreparedMove<Action>? {
    var (step, value) = (step, value)
    if let course, step.act == nil { step = Self.reported(step, run.key, course) }
    // The next attempt begins with the newest value.
    if case .repeats = step.end { value = run.newest }
    let (made, rest) = step.firstMove
    var action: Action?
    switch (made.actions.first, made.end) {
    case (let first?, _):
      action = effect.storeAction(of: first) as? Action
      if action == nil { return misfit(effect, step) }
    case (nil, .fails(let error)):
      action = effect.storeAction(ofFailure: error, of: (value ?? run.newest).request) as? Action
      if action == nil { return misfit(effect, step) }
    case (nil, _): break
    }
    let sent = looksAtRun(run) ? script.sent + made.actions : []
    return PreparedMove(
      .outcome(ExploredOutcome(made, of: run, at: value, after: passed)), by: run, at: value,
      sending: action, end: made.moveEnd, act: made.act,
      script: RunScript(rest: rest, value: rest == nil ? nil : value, sent: sent))
  }

  /// The step with the end that the policies around the effect give it: a policy may continue where the outcome ends.
  private static func reported(_ step: RunStep, _ key: RunKey, _ course: any RunCourse) -> RunStep {
    var (step, course) = (step, course)
    var failure: (any Error)?
    let isEnd: Bool
    switch step.end {
    case .repeats: return step
    case .continues: isEnd = false
    case .returns: isEnd = step.actions.count < 2
    case .fails(let error): (isEnd, failure) = (step.actions.isEmpty, error)
    }
    if !isEnd {
      let phase = course.phase
      course.sends()
      if course.phase != phase { step.act = .answered(key, course, ends: false) }
      return step
    }
    switch course.end(by: failure) {
    case .repeats(let sent, let failure)?:
      return RunStep(
        actions: step.actions + sent, end: .repeats(after: failure),
        act: .answered(key, course, ends: false))
    case .answers(let sent)?: step = RunStep(actions: step.actions + sent, end: .returns)
    case .begins?, .sends?, .fails?, nil: break
    }
    step.act = .answered(key, course, ends: true)
    return step
  }

  private mutating func misfit(_ effect: any EffectModel, _ step: RunStep) -> PreparedMove<Action>? {
    var given = step.actions.map { "sends \(Spelling.text(of: $0))" }
    if case .fails(let error) = step.end { given.append("throws \(Spelling.text(of: error))") }
    let action = Spelling.name(of: effect.actionType)
    var text =
      "\(effect.connection.name) sends \(action) and throws \(Spelling.name(of: effect.failureType)); "
      + "an outcome \(given.joined(separator: ", "))"
    if step.actions.contains(where: { type(of: $0) != effect.actionType }) {
      text += "; list the actions of the effect itself, by 'outcomes(of:sending: \(action).self)'"
    }
    if !misfits.contains(text) { misfits.append(text) }
    return nil
  }
}

extension RunStep {
  /// The part of this step that is one move: its first action, with its end if it then returns or continues. `rest` is
  /// `nil` if nothing is left.
  fileprivate var firstMove: (made: RunStep, rest: RunStep?) {
    guard let first = actions.first else { return (self, nil) }
    var rest = self
    rest.actions.removeFirst()
    rest.act = nil
    if rest.actions.isEmpty, rest.moveEnd != .fails {
      return (RunStep(actions: [first], end: end, act: act), nil)
    }
    return (RunStep(actions: [first], end: .continues, act: act), rest)
  }

  fileprivate var moveEnd: MoveEnd {
    switch end {
    case .returns: .returns
    case .fails: .fails
    case .continues, .repeats: .continues
    }
  }

  /// An act of a run that is due.
  fileprivate init(_ next: (due: DueAct, act: Timing.Act)) {
    switch next.due.kind {
    case .begins: self.init(actions: [], end: .continues, act: next.act)
    case .sends(let actions): self.init(actions: actions, end: .continues, act: next.act)
    case .answers(let actions): self.init(actions: actions, end: .returns, act: next.act)
    case .fails(let error): self.init(actions: [], end: .fails(error), act: next.act)
    case .repeats(let actions, let error):
      self.init(actions: actions, end: .repeats(after: error), act: next.act)
    }
  }
}

extension DueAct.Kind {
  /// Whether this act ends the attempt that the wrapped effect serves.
  fileprivate var endsAttempt: Bool { if case .sends = self { false } else { true } }
}

extension ExploredOutcome {
  init(_ step: RunStep, of run: ModelledRun, at value: RunValue? = nil, after passed: Duration? = nil) {
    self.passed = passed
    effect = run.connection.name
    (request, firstRequest, newestRequest) = ((value ?? run.newest).request, run.begun, run.request)
    parts = run.parts
    actions = step.actions
    switch step.end {
    case .returns: (failure, continues, isRepeated) = (nil, false, false)
    case .continues: (failure, continues, isRepeated) = (nil, true, false)
    case .fails(let error): (failure, continues, isRepeated) = (error, false, false)
    case .repeats(let error): (failure, continues, isRepeated) = (error, true, true)
    }
    leavesValue = !continues && value?.isOld == true
  }
}
