import Dispatch

/// Receives every event of a store inside the turn in which it happens. Only MillraceTrace has one.
///
/// Called with the turn lock held, but for `waits` and `reported`: an implementation appends to a list and calls nothing of the user's.
package protocol TurnWitness<State, Action>: AnyObject, Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  /// The witness has its place: it sees everything from here on.
  func began(_ store: WitnessedStore<State, Action>)
  /// An action was reduced.
  func reduced(_ action: Action, _ turn: WitnessedTurn, _ store: WitnessedStore<State, Action>)
  /// Anything else happened. Not called for `willReduce` and `didReduce`.
  func happened(_ event: StoreEvent.Kind, _ store: WitnessedStore<State, Action>)
  /// A task of a run begins to wait, or is about to be resumed. Called on any thread, with no lock held.
  func waits(_ wait: WitnessedWait)
  /// The store has reported a mistake. Called on any thread, with no lock held.
  func reported(_ diagnostic: StoreDiagnostic)
  /// The connection has ended.
  func ended(_ store: WitnessedStore<State, Action>)
  /// Whether something that was seen is still being worked on.
  var isBusy: Bool { get }
}

/// The reduction of one action.
package struct WitnessedTurn: Sendable {
  package let sequence: UInt64
  package let site: CallSite
  /// The run that sent the action, and the action that started that run.
  package let run: (generation: UInt64, startedBy: UInt64?)?
  /// How many actions are reduced together in the turn.
  package let count: Int
  /// Whether the store starts nothing more.
  package let isClosing: Bool
  /// When the reducer was called, in nanoseconds of the machine's own clock, and how long it took.
  package let start, duration: UInt64
}

/// A wait of a task inside a run.
package struct WitnessedWait: Sendable {
  /// The number of the run.
  package let generation: UInt64
  /// Tells the waits of one run apart.
  package let identity: ObjectIdentifier
  /// The reason; `nil` when the wait is over. Calls the user's code.
  package let reason: (@Sendable () -> String)?
}

/// What is connected and what runs, at one moment.
package struct WitnessedMoment: Sendable {
  /// A run that has begun, or waits for the run before it.
  package struct LiveRun: Sendable {
    package let identity: RunIdentity
    package let startedBy: UInt64?
    /// The newest value of its request, if that was handed over to it.
    package let newest: (any Hashable & Sendable)?
    /// Whether it was stopped and has not returned.
    package let isStopping: Bool
    /// Whether it waits for the run before it.
    package let isBehind: Bool
  }

  package struct Connected: Sendable {
    package let identity: ConnectionIdentity
    package let slice: String
    /// Whether it belongs to a part of the state, with which it ends.
    package let isInPart: Bool
  }

  /// The number of actions reduced.
  package let sequence: UInt64
  package let connections: [Connected]
  package let runs: [LiveRun]
}

/// The store of a witness. Used in the calls of the witness, with the turn lock held.
package final class WitnessedStore<State: Sendable, Action: Sendable>: @unchecked Sendable {
  // immutable; its engine is used in the engine's own turns
  private unowned let engine: StateEngine<State, Action>  // which owns what holds this
  private let connected: Connected
  package let reducer: Reducer<State, Action>

  init(
    _ engine: StateEngine<State, Action>, _ connected: Connected,
    _ reducer: @escaping Reducer<State, Action>
  ) {
    (self.engine, self.connected, self.reducer) = (engine, connected, reducer)
  }

  package var name: String { engine.name }
  /// The number of the witness's own connection.
  package var connection: UInt64 { connected.id }
  /// A copy of the state.
  package var state: State? { engine.place?.lent.value }
  /// Whether the store starts nothing more.
  package var isClosing: Bool { engine.isClosing(engine.scope) }
  package var sequence: UInt64 { engine.turn.sequence }
  /// During a call of `happened` with `connected`: whether that connection belongs to a part of the state, with which it
  /// ends.
  package var isConnectingInPart: Bool { engine.observers.connecting?.scope.isMortal ?? false }

  package var moment: WitnessedMoment {
    let all = engine.allConnected(in: engine.scope).filter { !($0 is Tap) }
    let ended = engine.endings.unfinished.values.filter { !($0 is Tap) }
    return WitnessedMoment(
      sequence: engine.turn.sequence,
      connections: all.map { connected in
        WitnessedMoment.Connected(
          identity: connected.identity, slice: connected.path?.pattern ?? "-",
          isInPart: connected.scope.isMortal)
      }.sorted { $0.identity.number < $1.identity.number },
      runs: (all + ended).flatMap { ($0 as? any RunKeeping)?.liveRuns ?? [] }
        .sorted { $0.identity.generation < $1.identity.generation })
  }

  /// Calls `body` away from the reducer queue, again and again until `isDone` says that nothing is left. `settled()` and
  /// `shutdown()` wait for it.
  ///
  /// - Parameters:
  ///   - delay: after how many nanoseconds it is called first.
  ///   - isDone: called with the turn lock held, so that nothing is seen between its answer and the end.
  package func work(
    on queue: DispatchQueue, after delay: UInt64, _ body: @escaping @Sendable () -> Void,
    isDone: @escaping @Sendable () -> Bool
  ) {
    let (engine, connected) = (engine, connected)
    connected.scope.countRun(counted: 1, all: 1)
    engine.decided.deliver {
      let work = DispatchWorkItem {
        var isOver = false
        while !isOver {
          body()
          isOver = engine.locked {
            guard isDone() else { return false }
            connected.scope.countRun(counted: -1, all: -1)
            engine.workEnded(of: connected)
            return true
          }
        }
      }
      if delay == 0 { return queue.async(execute: work) }
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay)), execute: work)
    }
  }
}

/// A witness of reductions, with the next one. A class with a method to override, since a list of generic closures would be
/// looked up at each action.
class ReductionWitness<Action: Sendable> {
  /// The number of its connection.
  let id: UInt64
  var next: ReductionWitness?

  init(_ id: UInt64) { self.id = id }

  func reduced(_ action: Lent<Action>, _ turn: WitnessedTurn) {}
}

private final class WitnessReductions<Witness: TurnWitness>: ReductionWitness<Witness.Action> {
  private let witness: Witness
  private let store: WitnessedStore<Witness.State, Witness.Action>

  init(_ witness: Witness, _ store: WitnessedStore<Witness.State, Witness.Action>, _ id: UInt64) {
    (self.witness, self.store) = (witness, store)
    super.init(id)
  }

  override func reduced(_ action: Lent<Witness.Action>, _ turn: WitnessedTurn) {
    witness.reduced(action.value, turn, store)
  }
}

/// What is connected and has runs.
protocol RunKeeping {
  /// The runs that have not returned. The turn lock must be held.
  var liveRuns: [WitnessedMoment.LiveRun] { get }
}

extension StateEngine {
  func add(_ witness: any TurnWitness<State, Action>, at connected: Connected) {
    func add(_ witness: some TurnWitness<State, Action>) {
      let store = WitnessedStore(self, connected, reducer)
      let reductions = WitnessReductions(witness, store, connected.id)
      reductions.next = witnesses
      witnesses = reductions
      observers.recorders.append(
        (
          connected.id,
          { event in
            switch event {
            case .willReduce, .didReduce: break
            default: witness.happened(event, store)
            }
          }
        ))
      let recorder = Waits.Recorder(
        id: connected.id, record: { witness.waits($0) }, report: { witness.reported($0) })
      waits.withLock { $0.recorders.append(recorder) }
      observersChanged()
      witness.began(store)
    }
    add(witness)
  }

  func remove(_ witness: any TurnWitness<State, Action>, at connected: Connected) {
    if witnesses?.id == connected.id { witnesses = witnesses?.next }
    var last = witnesses
    while let witness = last {
      if witness.next?.id == connected.id { witness.next = witness.next?.next }
      last = witness.next
    }
    observers.recorders.removeAll { $0.id == connected.id }
    waits.withLock { $0.recorders.removeAll { $0.id == connected.id } }
    observersChanged()
    func end(_ witness: some TurnWitness<State, Action>) {
      witness.ended(WitnessedStore(self, connected, reducer))
    }
    end(witness)
  }
}

extension Wait {
  /// Reports to the witnesses of its store that it begins or is over.
  func record(isOver: Bool) {
    guard case .run(let run) = work else { return }
    let recorders = run.engine.waits.withLock(\.recorders)
    if recorders.isEmpty { return }
    var reason: (@Sendable () -> String)?
    if !isOver { reason = { [self].texts.joined(separator: " and ") } }
    let wait = WitnessedWait(
      generation: run.generation, identity: ObjectIdentifier(self), reason: reason)
    for recorder in recorders { recorder.record(wait) }
  }
}
