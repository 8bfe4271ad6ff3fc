import MillraceSpelling

/// The engine of a store with the types of its state and actions: where these live, and the turns that are made of them.
///
/// | field | guarded by |
/// |---|---|
/// | `incoming`, `spare` | the mailbox lock, as the envelopes of the actions |
/// | everything else that is `var` | the turn lock |
final class StateEngine<State: Sendable, Action: Sendable>: Engine, @unchecked Sendable {  // see the table
  /// Records every action with the state after it. Called with the turn lock held.
  typealias Tap = (_ action: Action, _ state: Lent<State>) -> Void

  /// `nil` once the last handle was released and all has ended: what still works keeps no state alive.
  private(set) var place: StatePlace<State>?
  private(set) var reducer: Reducer<State, Action>
  private let incoming = ActionBuffer<Action>()

  /// The empty buffers that the next holding uses.
  private var spare: Spent<Action>?

  /// The contents taken from the mailbox; the indices below say how far their turns are.
  private let inbox = ActionBuffer<Action>()
  private var envelopes: ContiguousArray<Envelope> = []
  private var nextAction = 0
  private var nextEnvelope = 0
  /// The action that is reduced within another's turn or a command's, if any.
  private var inTurn: (action: Box<Action>, envelope: Envelope)?
  private var taps: [(id: ObjectIdentifier, tap: Tap)] = []
  /// Whether there are taps: asking the array would look its type up at every action.
  private var isTapped = false
  /// The witnesses' recorders of reductions, by the number of their connection.
  var turnRecorders: [(id: UInt64, record: (Action, WitnessedTurn) -> Void)] = []

  init(
    _ initialState: consuming State, _ reducer: @escaping Reducer<State, Action>, queue: ReducerQueue,
    options: StoreOptions
  ) {
    place = StatePlace(initialState)
    self.reducer = reducer
    super.init(queue: queue, options: options)
  }

  override var stateName: String { Spelling.name(of: State.self) }

  override func makeRoot() -> Node {
    guard let place else { preconditionFailure("nothing is connected once all has ended") }
    return Node(stateAt: UnsafeRawPointer(place.lent.pointer), released)
  }

  override func releaseState() {
    guard let place else { return }
    self.place = nil
    decided.release((place.moveOut(), reducer))
    reducer = { _, _ in }
  }

  override var waitingCount: Int { envelopes.count - nextEnvelope }
  override var currentAction: (any Sendable)? {
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
    _ action: Action, _ envelope: Envelope, through scope: Scope, isTapped: Bool
  ) -> Bool? {
    let isAccepted = accept(envelope, through: scope, isTapped: isTapped) { incoming.append(action) }
    if isAccepted == false { refused(action, envelope) }
    return isAccepted
  }

  /// Puts several actions in the mailbox that have one turn together, in the same way.
  func post(
    batch: [Action], _ envelope: Envelope, through scope: Scope, isTapped: Bool
  ) -> Bool? {
    let isAccepted = accept(envelope, through: scope, isTapped: isTapped) {
      for action in batch { incoming.append(action) }
    }
    if isAccepted == false { for action in batch { refused(action, envelope) } }
    return isAccepted
  }

  /// Puts an envelope in the mailbox, and by `putIn` its actions beside it.
  @inline(__always)
  private func accept(
    _ envelope: Envelope, through scope: Scope, isTapped: Bool, _ putIn: () -> Void
  ) -> Bool? {
    var step: DrainSchedule.Step?
    let isComplete = mail.withLock { mail in
      if !isTapped, scope.isTapped { return false }
      step = mail.accept(envelope, through: scope)
      if step != nil { putIn() }
      return true
    }
    if let step { perform(step) }
    return isComplete ? step != nil : nil
  }

  // MARK: Draining

  /// Turns made under one holding of the lock, while none has anything to perform and they are quick.
  private static var holdLimit: Int { 64 }

  override func drain(until ticket: UInt64?, holdsClaim: Bool) {
    var course = DrainCourse(holdsClaim: holdsClaim, isCaller: ticket != nil)
    repeat {
      var spent: Spent<Action>?
      var (holding, decided) = self.holding {
        makeTurns(until: ticket, holdsClaim: course.holdsClaim, &spent)
      }
      // An immediate store leaves nothing to others.
      if queue.isImmediate { holding.isReached = false }
      // The user's code that follows may take long: somebody else drains meanwhile.
      var release: UInt64?
      switch course.holdingEnded(holding, callsUser: decided.callsUser) {
      case .unchanged: break
      case .handedOn: handOnDrain()
      case .released: release = releaseBegan()
      }
      // Moved out, so that what it keeps is released before the drain goes on, and not at the end of this scope.
      perform(decided.take())
      if let spent {
        spent.release()
        mail.withLock { _ in if spare == nil { spare = spent } }
      }
      if let release { course.releaseEnded(goesOn: releaseEnded(release)) }
    } while !course.isOver
  }

  private func makeTurns(
    until ticket: UInt64?, holdsClaim: Bool, _ spent: inout Spent<Action>?
  ) -> DrainCourse.Holding {
    var holding = DrainCourse.Holding()
    var turns = 0
    let start = Moment.now
    concludeReturns()
    turns: repeat {
      if nextEnvelope == envelopes.count {
        switch takeMail(holdsClaim: holdsClaim, &spent) {
        case .taken: break
        case .returnsWait: break turns
        case .releasesFirst: break turns
        case .empty:
          holding.isIdle = true
          break turns
        }
      }
      makeTurn()
      turns += 1
      holding.isReached = ticket.map { turnsMade >= $0 } ?? false
    } while turns < Self.holdLimit && decided.isEmpty && !holding.isReached
      && (turns & (turns - 1) != 0 || start.duration(to: .now) < .milliseconds(1))  // asked ever more rarely
    if holding.isReached, nextEnvelope == envelopes.count {
      holding.isIdle = takeMail(holdsClaim: holdsClaim, &spent) == .empty
    }
    if holding.isIdle || areDisplaysOverdue(after: turns) { serveDisplays() }
    // A selector may have sent something meanwhile, for which an immediate store schedules no drain.
    if holding.isIdle, queue.isImmediate { holding.isIdle = mail.withLock { $0.isEmpty } }
    if nextEnvelope == envelopes.count { spend(&spent) }
    return holding
  }

  /// Moves what was consumed out, unless something has been before in this holding.
  private func spend(_ moved: inout Spent<Action>?) {
    if envelopes.isEmpty || moved != nil { return }
    // By hand: `take()` and `??` would look the type up each time.
    mail.withLock { _ in
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
  private func takeMail(holdsClaim: Bool, _ spent: inout Spent<Action>?) -> Taking {
    spend(&spent)
    if !envelopes.isEmpty { return .releasesFirst }
    return mail.withLock { mail in
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
  private func makeTurn() {
    nextEnvelope += 1
    turnsMade += 1
    guard let details = envelopes[nextEnvelope - 1].details else {
      nextAction += 1
      reduce(inbox[nextAction - 1])
      return actionWasReduced()
    }
    if let command = details.command {
      command()
      changeTree()
      return
    }
    // Admission: the one place where it is decided whether something may touch the state.
    let isAdmitted = details.isAdmitted
    if isAdmitted {
      turnRun = details.run
      details.run?.reduced += details.count
      for index in 0..<details.count {
        nextAction += 1
        reduce(inbox[nextAction - 1])
        recordEchoes(of: index, details)
      }
      actionWasReduced()
      turnRun = nil
    } else {
      for _ in 0..<details.count {
        let action = inbox[nextAction].value
        emit { .turnedAway(action: action, fate: .fenced, cause: cause) }
        noticeLateSend(of: action, details, at: envelopes[nextEnvelope - 1].site)
        nextAction += 1
      }
      fenced += UInt64(details.count)
      details.run?.fenced += details.count
    }
    if let sender = details.sender { decided.resume(sender, isAdmitted ? .reduced : .fenced) }
  }

  /// Reduces an action at once, in the turn that a command of the runtime's has: what a run's failure becomes. The
  /// caller has asked whether it is admitted.
  func reduceInTurn(_ action: Action, _ envelope: Envelope) {
    let box = Box(action)
    inTurn = (box, envelope)
    turnRun = envelope.details?.run
    box.lend { reduce($0) }
    recordEchoes(of: 0, envelope.details)
    actionWasReduced()
    turnRun = nil
    inTurn = nil
    decided.keep(box)
  }

  /// The cause of the action of the current turn.
  private var cause: ActionCause { (inTurn?.envelope ?? envelopes[nextEnvelope - 1]).cause }

  /// All that is accepted is reduced before all has ended, so there is a state.
  @inline(__always)
  private func reduce(_ action: Lent<Action>) {
    sequence += 1
    if isObserved { return reduceObserved(action) }
    evaluation = .reducing
    place.unsafelyUnwrapped.change(by: reducer, action)
    evaluation = .none
    if isTapped { record(action) }
  }

  private func reduceObserved(_ lent: Lent<Action>) {
    if areReductionsObserved {
      emit { .willReduce(action: lent.value, sequence: sequence, cause: cause) }
    }
    evaluation = .reducing
    let start = Moment.now
    place.unsafelyUnwrapped.change(by: reducer, lent)
    let end = Moment.now
    evaluation = .none
    if areReductionsObserved {
      let depth = waitingCount + mail.withLock { $0.envelopes.count }
      emit { .didReduce(sequence: sequence, duration: start.duration(to: end), queueDepth: depth) }
    }
    if !turnRecorders.isEmpty { witness(lent, start, end) }
    if isTapped { record(lent) }
  }

  /// Tells the witnesses of a reduction.
  private func witness(_ action: Lent<Action>, _ start: Moment, _ end: Moment) {
    let envelope = inTurn?.envelope ?? envelopes[nextEnvelope - 1]
    let turn = WitnessedTurn(
      sequence: sequence, site: envelope.site,
      run: envelope.details?.run.map { ($0.generation, $0.cause.action) }, count: envelope.count,
      start: start.nanoseconds, duration: end.nanoseconds - start.nanoseconds)
    for recorder in turnRecorders { recorder.record(action.value, turn) }
  }

  /// Gives an action that was reduced to the recorders of the store.
  private func record(_ action: Lent<Action>) {
    evaluation = .selecting
    guard let place else { return }
    for (_, tap) in taps { tap(action.value, place.lent) }
    evaluation = .none
  }

  /// Gives it to the recorders of the scopes that it was sent through.
  private func recordEchoes(of index: Int, _ details: Envelope.Details?) {
    guard let echoes = details?.echoes, !echoes.isEmpty else { return }
    evaluation = .selecting
    for echo in echoes { echo(index) }
    evaluation = .none
  }
}

/// Actions and envelopes that had their turn, to be released when no lock is held. Used by one drain at a time.
private final class Spent<Action> {
  let actions = ActionBuffer<Action>()
  var envelopes: ContiguousArray<Envelope> = []

  func release() {
    // A buffer that a flood has made large is given back.
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
  /// The contents consumed before have to be released first, with no lock held.
  case releasesFirst
}
