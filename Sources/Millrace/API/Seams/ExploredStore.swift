/// A store of which a test explores what may happen: it makes a move, saves what has come of it, and goes back.
///
/// For a root store with the immediate queue whose runs are held, used by one thread alone.
package final class ExploredStore<State: Sendable, Action: Sendable> {
  private let store: Store<State, Action>
  private let host: StateHost<State, Action>
  let engine: Engine

  package init(_ store: Store<State, Action>) {
    guard let host = store.host else { preconditionFailure("a scope is explored with its store") }
    self.store = store
    self.host = host
    engine = store.engine
    engine.locked { engine.attached = [] }
  }

  deinit {
    engine.locked {
      engine.forgetAbandoned(among: engine.attached ?? [])
      engine.attached = nil
    }
  }

  /// The present state.
  package var state: State { place.lent.value }

  private var place: StatePlace<State> {
    guard let place = host.place else { preconditionFailure("a store that is held has its state") }
    return place
  }

  // MARK: Moves

  /// Goes to a moment, and makes steps from there.
  ///
  /// - Returns: what is decided after them. Everything of it that has not changed is shared with `moment`.
  package func make(_ steps: [MoveStep<Action>], from state: State, _ moment: SavedMoment) -> SavedMoment {
    var next = -1
    var saved: SavedMoment?
    repeat {
      engine.lockedToExplore {
        if next < 0 {
          go(to: state, moment)
          next = 0
        } else {
          // What was decided meanwhile is kept before the next step changes it.
          _ = engine.saveDecisions(after: moment.decisions)
        }
        while next < steps.count {
          let isDone = make(steps[next], &next)
          // What is decided is performed when the lock has been released.
          if !isDone || !engine.decided.isEmpty { return }
        }
        saved = save(at: moment)
      }
    } while saved == nil
    return saved ?? moment
  }

  /// Goes to a moment, and reduces an action of the user's there.
  package func make(_ action: Action, from state: State, _ moment: SavedMoment) -> SavedMoment {
    var saved: SavedMoment?
    engine.lockedToExplore {
      go(to: state, moment)
      reduce(action)
      // What is decided is performed when the lock has been released.
      if engine.decided.isEmpty { saved = save(at: moment) }
    }
    return saved ?? save(after: moment)
  }

  private func save(at moment: SavedMoment) -> SavedMoment {
    SavedMoment(decisions: engine.saveDecisions(after: moment.decisions))
  }

  /// - Returns: whether it is done, apart from what is decided.
  private func make(_ step: MoveStep<Action>, _ next: inout Int) -> Bool {
    next += 1
    switch step {
    case .reduces(let action): reduce(action)
    case .sends(let action, let run):
      guard run.isAdmitted else {
        next = .max  // it was stopped by what it sent before
        return true
      }
      reduce(action)
    case .returns(let run): return run.returnInTurn()
    }
    return true
  }

  private func reduce(_ action: Action) {
    // Valid during the call, like the pointer in `put`.
    withUnsafePointer(to: action) { host.reduceExplored(Lent(pointer: $0), engine) }
  }

  /// The program ends and begins again with this state: nothing runs, and what the state asks for is asked for anew.
  package func restart(with change: (inout State) -> Void) {
    engine.locked {
      for case let effect as any RunServer in engine.bindings { effect.restart() }
    }
    var state = state
    change(&state)
    engine.locked {
      put(state)
      engine.actionWasReduced()
    }
  }

  // MARK: Saving

  /// What is decided now.
  ///
  /// - Parameter last: what was saved before, of which everything that has not changed is shared.
  package func save(after last: SavedMoment? = nil) -> SavedMoment {
    engine.locked { SavedMoment(decisions: engine.saveDecisions(after: last?.decisions)) }
  }

  /// Puts back what was saved with its state.
  package func restore(_ state: State, _ moment: SavedMoment) { engine.locked { go(to: state, moment) } }

  private func go(to state: State, _ moment: SavedMoment) {
    put(state)
    engine.restore(moment.decisions)
  }

  private func put(_ state: State) {
    withUnsafePointer(to: state) { place.put(Lent(pointer: $0)) }
  }
}

/// A part of a move.
package enum MoveStep<Action> {
  /// An action is reduced.
  case reduces(Action)
  /// A run sends what becomes this action; it is fenced if the run was stopped.
  case sends(Action, HeldRun)
  /// A run returns.
  case returns(HeldRun)
}

/// What a store has decided at one moment, with the values of its slices, and without its state.
package struct SavedMoment {
  let decisions: SavedDecisions

  /// Whether just the same is decided, in the very same objects.
  package func hasSameDecisions(as other: SavedMoment) -> Bool { decisions.isSame(as: other.decisions) }

  /// A number that a test gives to its decisions, where one effect is all that is connected; otherwise always `nil`.
  package var mark: Int32? {
    get { onlyDecisions?.mark }
    nonmutating set { onlyDecisions?.mark = newValue }
  }

  private var onlyDecisions: RememberedDecisions? {
    guard decisions.tree.hasOnlyEffects, decisions.decisions.count == 1 else { return nil }
    return decisions.decisions[0] as? RememberedDecisions
  }

  /// What tells its decisions from others while the same is connected; `nil` where lifetimes are connected.
  package var objects: [ObjectIdentifier]? {
    guard decisions.tree.hasOnlyEffects else { return nil }
    return decisions.decisions.compactMap { $0.map { ObjectIdentifier($0) } }
  }

  /// The number of actions that were reduced up to then.
  package var sequence: UInt64 { decisions.sequence }

  /// What each effect has decided, in the order in which they were connected.
  package var effects: [Effect] {
    decisions.decisions.compactMap { $0 as? any RunsAtOneTime }
      .map { Effect(contents: $0.contents, runs: $0.answerable) }
      .sorted { $0.contents.connection.number < $1.contents.connection.number }
  }

  /// What one effect has decided.
  package struct Effect {
    package let contents: EffectContents
    /// Its runs that a test holds.
    package let runs: [AnswerableRun]
  }
}
