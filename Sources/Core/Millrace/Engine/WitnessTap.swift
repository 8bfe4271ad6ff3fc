import Dispatch

/// The store of a witness. Used in the calls of the witness, with the turn lock held.
package struct WitnessedStore<State: Sendable, Action: Sendable> {
  let engine: StateEngine<State, Action>
  let tap: StoreTap

  package var reducer: Reducer<State, Action> { engine.reducer }
  /// A copy of the state.
  package var state: State? { engine.place?.value }
  /// Whether the store begins no further runs.
  package var isClosing: Bool { engine.isClosing(engine.account) }
  package var sequence: UInt64 { engine.turn.sequence }

  package var moment: WitnessedMoment {
    let all = engine.allConnected(in: engine.account)
    let ended = engine.endings.unfinished.values
    return WitnessedMoment(
      sequence: sequence,
      connections: all.filter { !($0 is Tap) }.sorted { $0.id < $1.id }
        .map { ($0.identity, $0.path?.text(withIDs: false) ?? "-") },
      runs: (all + ended).flatMap { ($0 as? any RunServer)?.liveRuns ?? [] }
        .sorted { $0.identity.generation < $1.identity.generation })
  }

  /// Calls `body` for the witness away from the reducer queue, as `StoreTap.work` does.
  package func work(
    on queue: DispatchQueue, after delay: UInt64, _ body: @escaping @Sendable () -> Void,
    isDone: @escaping @Sendable () -> Bool
  ) {
    tap.work(on: queue, after: delay, body, isDone: isDone)
  }
}

/// A connected witness.
final class WitnessTap<State: Sendable, Action: Sendable>: StoreTap,
  @unchecked Sendable  // as its superclass
{
  private unowned let stateEngine: StateEngine<State, Action>  // as `engine`
  private let witness: any TurnWitness<State, Action>
  private var store: WitnessedStore<State, Action> { WitnessedStore(engine: stateEngine, tap: self) }

  init(_ witness: any TurnWitness<State, Action>, _ entry: Entry, in engine: StateEngine<State, Action>) {
    stateEngine = engine
    self.witness = witness
    super.init(entry, in: engine)
  }

  override func connectionBegan() {
    witness.began(store)
    super.connectionBegan()  // last: from then on, other threads report waits
  }

  override func connectionEnded() {
    super.connectionEnded()
    witness.ended(store)
  }

  override func forget() -> Any? { witness }

  override func reduced(from start: Moment, to end: Moment) {
    witness.reduced(stateEngine.presentAction.value, stateEngine.witnessed(start, end), store)
  }

  override func happened(_ event: StoreEvent) {
    switch event.kind {
    case .willReduce, .didReduce: break
    default: witness.happened(event.kind, store)
    }
  }

  override func waits(_ wait: WitnessedWait) { witness.waits(wait) }
  override func reported(_ diagnostic: StoreDiagnostic) { witness.reported(diagnostic) }
}

extension Wait {
  /// Informs the taps of its store that the wait begins or has ended.
  func tell(isOver: Bool) {
    guard case .run(let run) = work else { return }
    let taps = run.engine.mail.withLock(\.taps)
    if taps.isEmpty { return }
    let reason = isOver ? nil : { @Sendable in [self].texts.joined(separator: " and ") }
    let wait = WitnessedWait(
      generation: run.generation, identity: ObjectIdentifier(self), reason: reason)
    for tap in taps { tap.waits(wait) }
  }
}
