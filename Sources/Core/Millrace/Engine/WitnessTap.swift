import Dispatch

/// The store of a witness. Used in the calls of the witness, with the turn lock held.
package final class WitnessedStore<State: Sendable, Action: Sendable>: Sendable {
  private unowned let engine: StateEngine<State, Action>  // the engine owns the connection that holds this
  private let tap: Tap
  package let reducer: Reducer<State, Action>

  init(_ engine: StateEngine<State, Action>, _ tap: Tap) {
    (self.engine, self.tap, reducer) = (engine, tap, engine.reducer)
  }

  /// The number of the witness's own connection.
  package var connection: UInt64 { tap.id }
  /// A copy of the state.
  package var state: State? { engine.place?.value }
  /// Whether the store begins no further runs.
  package var isClosing: Bool { engine.isClosing(engine.account) }
  package var sequence: UInt64 { engine.turn.sequence }
  /// During a call of `happened` with `connected`: whether that connection belongs to a part of the state and ends with
  /// it.
  package var isConnectingInPart: Bool { engine.observers.connecting?.account.isMortal ?? false }

  package var moment: WitnessedMoment {
    let all = engine.allConnected(in: engine.account).filter { !($0 is Tap) }
    let ended = engine.endings.unfinished.values.filter { !($0 is Tap) }
    return WitnessedMoment(
      sequence: engine.turn.sequence,
      connections: all.map { connected in
        WitnessedMoment.Connected(
          identity: connected.identity, slice: connected.path?.text(withIDs: false) ?? "-",
          isInPart: connected.account.isMortal)
      }.sorted { $0.identity.number < $1.identity.number },
      runs: (all + ended).flatMap { ($0 as? any RunKeeping)?.liveRuns ?? [] }
        .sorted { $0.identity.generation < $1.identity.generation })
  }

  /// Calls `body` for the witness away from the reducer queue, as `Engine.work` does.
  package func work(
    on queue: DispatchQueue, after delay: UInt64, _ body: @escaping @Sendable () -> Void,
    isDone: @escaping @Sendable () -> Bool
  ) {
    engine.work(of: tap, on: queue, after: delay, body, isDone: isDone)
  }
}

/// A connected witness, independent of its types. In a list of generic ones, the type would be looked up at each
/// action.
protocol Witnessing: AnyObject, Sendable {
  /// The action of the current turn was reduced.
  func reduced(_ turn: WitnessedTurn)
  func happened(_ event: StoreEvent.Kind)
  func waits(_ wait: WitnessedWait)
  func reported(_ diagnostic: StoreDiagnostic)
}

/// A connected witness with its types.
final class WitnessTap<State: Sendable, Action: Sendable>: Tap, Witnessing,
  @unchecked Sendable  // its variables are guarded by the turn lock
{
  private unowned let engine: StateEngine<State, Action>  // it owns this, and the `Connection` owns it
  private let witness: any TurnWitness<State, Action>
  /// `nil` unless it is connected.
  private var store: WitnessedStore<State, Action>?

  init(_ witness: any TurnWitness<State, Action>, _ entry: Entry, in engine: StateEngine<State, Action>) {
    self.engine = engine
    self.witness = witness
    super.init(entry)
  }

  override func connectionBegan() {
    let store = WitnessedStore(engine, self)
    self.store = store
    engine.observers.witnesses.append(self)
    engine.observersChanged()
    witness.began(store)
    // Last, since waits are told by their own threads.
    engine.mail.withLock { $0.waits.witnesses.append(self) }
  }

  override func connectionEnded() {
    engine.observers.witnesses.removeAll { $0 === self }
    engine.mail.withLock { $0.waits.witnesses.removeAll { $0 === self } }
    engine.observersChanged()
    witness.ended(store ?? WitnessedStore(engine, self))
    store = nil
  }

  override var ownWork: Int { witness.isBusy ? 1 : 0 }
  override func forget() -> Any? { witness }

  func reduced(_ turn: WitnessedTurn) {
    if let store { witness.reduced(engine.presentAction.value, turn, store) }
  }

  func happened(_ event: StoreEvent.Kind) {
    switch event {
    case .willReduce, .didReduce: break
    default: if let store { witness.happened(event, store) }
    }
  }

  func waits(_ wait: WitnessedWait) { witness.waits(wait) }
  func reported(_ diagnostic: StoreDiagnostic) { witness.reported(diagnostic) }
}

extension Wait {
  /// Informs the witnesses of its store that the wait begins or has ended.
  func tell(isOver: Bool) {
    guard case .run(let run) = work else { return }
    let witnesses = run.engine.mail.withLock(\.waits.witnesses)
    if witnesses.isEmpty { return }
    let reason = isOver ? nil : { @Sendable in [self].texts.joined(separator: " and ") }
    let wait = WitnessedWait(
      generation: run.generation, identity: ObjectIdentifier(self), reason: reason)
    for witness in witnesses { witness.waits(wait) }
  }
}
