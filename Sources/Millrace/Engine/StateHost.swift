/// The one place where a store's state and its actions live: with the reducer, the only part of the engine that knows
/// their types.
///
/// | field | guarded by |
/// |---|---|
/// | `incoming`, `spare` | the mailbox lock, as the envelopes of the actions |
/// | everything else that is `var` | the turn lock |
final class StateHost<State: Sendable, Action: Sendable>: Host, @unchecked Sendable {  // see the table
  /// Records every action with the state after it. Called with the turn lock held.
  typealias Tap = (_ action: Action, _ state: Lent<State>) -> Void

  /// `nil` once the last handle was released and all has ended: what still works keeps no state alive.
  private(set) var place: StatePlace<State>?
  private var reducer: Reducer<State, Action>
  private let incoming = ActionBuffer<Action>()

  /// What a holding left for the next one.
  private var spare: Spent<Action>?

  /// What was taken from the mailbox, and how far its turns are.
  private let inbox = ActionBuffer<Action>()
  private var envelopes: ContiguousArray<Envelope> = []
  private var nextAction = 0
  private var nextEnvelope = 0
  /// The action that is reduced within another's turn or a command's, if any.
  private var inTurn: (action: Box<Action>, envelope: Envelope)?
  private var taps: [(id: ObjectIdentifier, tap: Tap)] = []
  /// Whether there are taps: asking the array would look its type up at every action.
  private var isTapped = false

  init(_ initialState: consuming State, _ reducer: @escaping Reducer<State, Action>) {
    place = StatePlace(initialState)
    self.reducer = reducer
  }

  var stateName: String { Spelling.name(of: State.self) }
  func makeRoot() -> Node {
    guard let place else { preconditionFailure("nothing is connected once all has ended") }
    return Node(stateAt: UnsafeRawPointer(place.lent.pointer))
  }

  func releaseState(_ engine: Engine) {
    guard let place else { return }
    self.place = nil
    engine.decided.release((place.moveOut(), reducer))
    reducer = { _, _ in }
  }

  var waitingCount: Int { envelopes.count - nextEnvelope }
  var currentAction: (any Sendable)? {
    inTurn?.action.value ?? (nextAction > 0 ? inbox[nextAction - 1].value : nil)
  }

  func add(_ id: ObjectIdentifier, _ tap: @escaping Tap) {
    taps.append((id, tap))
    isTapped = true
  }

  func removeTap(_ id: ObjectIdentifier) {
    taps.removeAll { $0.id == id }
    isTapped = !taps.isEmpty
  }

  // MARK: Sending

  /// Puts an action in the mailbox, unless what it was sent through is closed.
  ///
  /// - Parameter isTapped: whether the envelope has the echoes for what records what is sent through the scope.
  /// - Returns: whether it was accepted; `nil` if it lacks the echoes.
  func post(
    _ action: Action, _ envelope: Envelope, through scope: Scope, isTapped: Bool, _ engine: Engine
  ) -> Bool? {
    let isAccepted = accept(envelope, through: scope, isTapped: isTapped, engine) { incoming.append(action) }
    if isAccepted == false { engine.refused(action, envelope) }
    return isAccepted
  }

  /// The same for several actions that have one turn together.
  func post(
    batch: [Action], _ envelope: Envelope, through scope: Scope, isTapped: Bool, _ engine: Engine
  ) -> Bool? {
    let isAccepted = accept(envelope, through: scope, isTapped: isTapped, engine) {
      for action in batch { incoming.append(action) }
    }
    if isAccepted == false { for action in batch { engine.refused(action, envelope) } }
    return isAccepted
  }

  /// Puts an envelope in the mailbox, and by `putIn` its actions beside it.
  @inline(__always)
  private func accept(
    _ envelope: Envelope, through scope: Scope, isTapped: Bool, _ engine: Engine, _ putIn: () -> Void
  ) -> Bool? {
    var step: DrainSchedule.Step?
    let isComplete = engine.mail.withLock { mail in
      if !isTapped, scope.isTapped { return false }
      step = mail.accept(envelope, through: scope)
      if step != nil { putIn() }
      return true
    }
    if let step { engine.perform(step) }
    return isComplete ? step != nil : nil
  }

  // MARK: Draining

  /// Turns made under one holding of the lock, while none has anything to perform and they are quick.
  private static var holdLimit: Int { 64 }

  func drain(_ engine: Engine, until ticket: UInt64?, holdsClaim: Bool) {
    var course = DrainCourse(holdsClaim: holdsClaim, isCaller: ticket != nil)
    repeat {
      var spent: Spent<Action>?
      var (holding, decided) = engine.holding {
        makeTurns(engine, until: ticket, holdsClaim: course.holdsClaim, &spent)
      }
      // An immediate store leaves nothing to others.
      if engine.queue.isImmediate { holding.isReached = false }
      // The user's code that follows may take long: somebody else drains meanwhile.
      var release: UInt64?
      switch course.holdingEnded(holding, callsUser: decided.callsUser) {
      case .unchanged: break
      case .handedOn: engine.handOnDrain()
      case .released: release = engine.releaseBegan()
      }
      // Moved out, so that what it keeps is released before the drain goes on, and not at the end of this scope.
      decided.take().perform(engine)
      if let spent {
        spent.release()
        engine.mail.withLock { _ in if spare == nil { spare = spent } }
      }
      if let release { course.releaseEnded(goesOn: engine.releaseEnded(release)) }
    } while !course.isOver
  }

  private func makeTurns(
    _ engine: Engine, until ticket: UInt64?, holdsClaim: Bool, _ spent: inout Spent<Action>?
  ) -> DrainCourse.Holding {
    var holding = DrainCourse.Holding()
    var turns = 0
    let start = Moment.now
    engine.concludeReturns()
    turns: repeat {
      if nextEnvelope == envelopes.count {
        switch takeMail(engine, holdsClaim: holdsClaim, &spent) {
        case .taken: break
        case .returnsWait: break turns
        case .releasesFirst: break turns
        case .empty:
          holding.isIdle = true
          break turns
        }
      }
      makeTurn(engine)
      turns += 1
      holding.isReached = ticket.map { engine.turnsMade >= $0 } ?? false
    } while turns < Self.holdLimit && engine.decided.isEmpty && !holding.isReached
      && (turns & (turns - 1) != 0 || start.duration(to: .now) < .milliseconds(1))  // asked ever more rarely
    if holding.isReached, nextEnvelope == envelopes.count {
      holding.isIdle = takeMail(engine, holdsClaim: holdsClaim, &spent) == .empty
    }
    if holding.isIdle || engine.areDisplaysOverdue(after: turns) { engine.serveDisplays() }
    // What a selector has sent meanwhile: nobody else takes it where no drain is scheduled.
    if holding.isIdle, engine.queue.isImmediate { holding.isIdle = engine.mail.withLock { $0.isEmpty } }
    if nextEnvelope == envelopes.count { spend(engine, &spent) }
    return holding
  }

  /// Moves what was consumed out, unless something has been before in this holding.
  private func spend(_ engine: Engine, _ moved: inout Spent<Action>?) {
    if envelopes.isEmpty || moved != nil { return }
    // By hand: `take()` and `??` would look the type up each time.
    engine.mail.withLock { _ in
      moved = spare
      spare = nil
    }
    if moved == nil { moved = Spent() }
    guard let spent = moved else { return }
    inbox.exchange(with: spent.actions)
    swap(&envelopes, &spent.envelopes)
    nextAction = 0
    nextEnvelope = 0
  }

  /// Takes what is in the mailbox.
  private func takeMail(_ engine: Engine, holdsClaim: Bool, _ spent: inout Spent<Action>?) -> Taking {
    spend(engine, &spent)
    if !envelopes.isEmpty { return .releasesFirst }
    return engine.mail.withLock { mail in
      if mail.envelopes.isEmpty {
        if !mail.returns.isEmpty { return .returnsWait }
        if holdsClaim { mail.schedule.drainEnded() }
        return .empty
      }
      inbox.exchange(with: incoming)
      swap(&envelopes, &mail.envelopes)
      return .taken
    }
  }

  // MARK: Turns

  /// Makes the turn of the next envelope: admits it or not, reduces, and decides what runs.
  private func makeTurn(_ engine: Engine) {
    nextEnvelope += 1
    engine.turnsMade += 1
    guard let details = envelopes[nextEnvelope - 1].details else {
      nextAction += 1
      reduce(inbox[nextAction - 1], engine)
      return engine.actionWasReduced()
    }
    if let command = details.command {
      command()
      engine.changeTree()
      return
    }
    // Admission: the one place where it is decided whether something may touch the state.
    let isAdmitted = details.isAdmitted
    if isAdmitted {
      engine.turnRun = details.run
      details.run?.reduced += details.count
      for index in 0..<details.count {
        nextAction += 1
        reduce(inbox[nextAction - 1], engine)
        recordEchoes(of: index, details, engine)
      }
      engine.actionWasReduced()
      engine.turnRun = nil
    } else {
      for _ in 0..<details.count {
        let action = inbox[nextAction].value
        engine.emit { .turnedAway(action: action, fate: .fenced, cause: cause) }
        engine.noticeLateSend(of: action, details, at: envelopes[nextEnvelope - 1].site)
        nextAction += 1
      }
      engine.fenced += UInt64(details.count)
      details.run?.fenced += details.count
    }
    if let sender = details.sender { engine.decided.resume(sender, isAdmitted ? .reduced : .fenced) }
  }

  /// Reduces an action at once, in the turn that a command of the runtime's has: what a run's failure becomes. The
  /// caller has asked whether it is admitted.
  func reduceInTurn(_ action: Action, _ envelope: Envelope, _ engine: Engine) {
    let box = Box(action)
    inTurn = (box, envelope)
    engine.turnRun = envelope.details?.run
    box.lend { reduce($0, engine) }
    recordEchoes(of: 0, envelope.details, engine)
    engine.actionWasReduced()
    engine.turnRun = nil
    inTurn = nil
    engine.decided.keep(box)
  }

  /// What the action of the current turn comes from.
  private var cause: ActionCause { (inTurn?.envelope ?? envelopes[nextEnvelope - 1]).cause }

  /// All that is accepted is reduced before all has ended, so there is a state.
  @inline(__always)
  private func reduce(_ action: Lent<Action>, _ engine: Engine) {
    engine.sequence += 1
    if engine.isObserved { return reduceObserved(action, engine) }
    engine.evaluation = .reducing
    place.unsafelyUnwrapped.change(by: reducer, action)
    engine.evaluation = .none
    if isTapped { record(action, engine) }
  }

  private func reduceObserved(_ lent: Lent<Action>, _ engine: Engine) {
    let (sequence, action) = (engine.sequence, lent.value)
    engine.emit { .willReduce(action: action, sequence: sequence, cause: cause) }
    engine.evaluation = .reducing
    let start = ContinuousClock.now
    place.unsafelyUnwrapped.change(by: reducer, lent)
    let duration = ContinuousClock.now - start
    engine.evaluation = .none
    let depth = waitingCount + engine.mail.withLock { $0.envelopes.count }
    engine.emit { .didReduce(sequence: sequence, duration: duration, queueDepth: depth) }
    if isTapped { record(lent, engine) }
  }

  /// Gives an action that was reduced to the recorders of the store.
  private func record(_ action: Lent<Action>, _ engine: Engine) {
    engine.evaluation = .selecting
    guard let place else { return }
    for (_, tap) in taps { tap(action.value, place.lent) }
    engine.evaluation = .none
  }

  /// Gives it to the recorders of the scopes that it was sent through.
  private func recordEchoes(of index: Int, _ details: Envelope.Details?, _ engine: Engine) {
    guard let echoes = details?.echoes, !echoes.isEmpty else { return }
    engine.evaluation = .selecting
    for echo in echoes { echo(index) }
    engine.evaluation = .none
  }
}

/// What was consumed in turns, to be released when no lock is held. Used by one drain at a time.
private final class Spent<Action> {
  let actions = ActionBuffer<Action>()
  var envelopes: ContiguousArray<Envelope> = []

  func release() {
    // What a flood has made large is given back.
    actions.removeAll()
    var released: ContiguousArray<Envelope> = []
    swap(&released, &envelopes)
    released.removeAll(keepingCapacity: released.count <= 1024)
    swap(&released, &envelopes)
  }
}

private enum Taking {
  case taken
  case empty
  /// Nothing but runs that have returned, which the next holding concludes.
  case returnsWait
  /// What was consumed before has to be released first, which is done with no lock held.
  case releasesFirst
}
