import MillraceSpelling

/// The engine of a store with the types of its state and actions. It keeps both and accesses them.
///
/// | field | guarded by |
/// |---|---|
/// | `incoming` | the mailbox lock, as the envelopes of the actions |
/// | everything else that is `var` | the turn lock |
final class StateEngine<State: Sendable, Action: Sendable>: Engine, @unchecked Sendable {  // see the table
  /// `nil` when the root store was released and everything has ended, so that a body that continues keeps no state
  /// alive.
  private(set) var place: StatePlace<State>?
  private(set) var reducer: Reducer<State, Action>
  /// The actions of the envelopes in the mailbox.
  private let incoming = ActionBuffer<Action>()
  /// The action that is reduced within the turn of a command, if any.
  private var inTurn: (action: Box<Action>, envelope: Box<Envelope>)?

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
    let released = tree.released ?? ReleasedValues()
    tree.released = released
    return Node(stateAt: place.borrowed.address, released)
  }

  override func releaseState() {
    guard let place = place.take() else { return }
    decide { $0.release((place, reducer)) }
    reducer = { _, _ in }
  }

  override var currentAction: (any Sendable)? {
    inTurn == nil && inbox.nextAction == 0 ? nil : presentAction.value
  }

  /// The action of the current turn, if it has one.
  var presentAction: Borrowed<Action> { inTurn?.action.borrowed ?? takenAction }

  /// The action of the inbox whose turn it is.
  private var takenAction: Borrowed<Action> {
    unsafeDowncast(inbox.actions!, to: ActionBuffer<Action>.self)[inbox.nextAction - 1]  // of `incoming`
  }

  // MARK: Sending

  /// Puts an action in the mailbox, unless the store or the scope through which it was sent is closed.
  ///
  /// - Parameter isTapped: whether the envelope carries the echoes for taps.
  /// - Returns: whether it was accepted; `nil` if the account has taps and the envelope does not carry their echoes.
  func post(
    _ action: Action, _ envelope: Envelope, through account: Account, isTapped: Bool
  ) -> Bool? {
    var step: DrainSchedule.Step?
    let isComplete = mail.withLock { mail in
      if !isTapped, account.isTapped { return false }
      step = mail.accept(envelope, through: account)
      if step != nil { incoming.append(action) }
      return true
    }
    if !isComplete { return nil }
    if let step {
      perform(step)
    } else {
      envelope.details?.sender?.resume(returning: .refused)
      refused(action, envelope)
    }
    return step != nil
  }

  // MARK: Turns

  override func takeActions() {
    if incoming.count > 0 { inbox.actions = incoming.moveAll(to: inbox.actions) }
  }

  override func reduceNext() {
    inbox.nextAction += 1
    reduce(takenAction)
  }

  /// Reduces the action of a failure at once, in the turn of the command that concludes the run. The caller has checked
  /// its admission.
  func reduceInTurn(_ action: Action, _ envelope: Envelope) {
    let (box, sent) = (Box(action), Box(envelope))
    inTurn = (box, sent)
    turn.run = envelope.details?.run
    box.read { reduce($0) }
    recordEchoes(of: envelope.details)
    actionWasReduced()
    turn.run = nil
    inTurn = nil
    decide {
      $0.keep(box)
      $0.keep(sent)
    }
  }

  /// The envelope of the action that is being reduced.
  private var envelope: Envelope { inTurn?.envelope.value ?? inbox.current }

  /// The state exists, since everything accepted is reduced before the state is released.
  @inline(__always)
  private func reduce(_ action: Borrowed<Action>) {
    turn.sequence += 1
    if due.events { return reduceObserved(action) }
    turn.evaluation = .reducing
    place?.change(by: reducer, action)
    turn.evaluation = .none
  }

  private func reduceObserved(_ borrowed: Borrowed<Action>) {
    let sequence = turn.sequence
    if due.reductions {
      emit { .willReduce(action: borrowed.value, sequence: sequence, cause: envelope.cause) }
    }
    turn.evaluation = .reducing
    let start = Moment.now
    place?.change(by: reducer, borrowed)
    let end = Moment.now
    turn.evaluation = .none
    if due.reductions {
      let depth = inbox.waitingCount + mail.withLock { $0.envelopes.count }
      emit { .didReduce(sequence: sequence, duration: start.duration(to: end), queueDepth: depth) }
    }
    for tap in mail.withLock(\.taps) { tap.reduced(from: start, to: end) }
  }

  /// Describes the current reduction for witnesses.
  func witnessed(_ start: Moment, _ end: Moment) -> WitnessedTurn {
    let envelope = envelope
    let sender = envelope.details?.run
    return WitnessedTurn(
      sequence: turn.sequence, site: envelope.site, run: sender.map { ($0.generation, $0.cause.action) },
      isClosing: isClosing(account), start: start.nanoseconds,
      duration: end.nanoseconds - start.nanoseconds)
  }
}
