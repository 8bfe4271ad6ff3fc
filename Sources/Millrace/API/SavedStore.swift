/// A store as it was between two turns: its state, and everything that is decided. For tests that explore what may
/// happen.
package struct SavedStore<State: Sendable> {
  fileprivate let box: Box<State>
  fileprivate let decisions: SavedDecisions

  /// The state.
  package var state: State { box.value }

  /// The runs of each effect that are held, effects in an order that stays while nothing else is connected.
  package var held: [[HeldRun]] { runs.map(\.held) }
  /// The requests of each effect that are asked for and have finished, in the same order.
  package var finished: [[AnyHashable]] { runs.map(\.finished) }

  private var runs: [any RunsAtOneTime] { decisions.decisions.compactMap { $0 as? any RunsAtOneTime } }
}

extension Store {
  /// What the store and its decisions are like now. For a root store with the immediate queue whose runs are held.
  package func save() -> SavedStore<State> {
    engine.locked {
      guard let host else { preconditionFailure("a scope is saved with its store") }
      return SavedStore(box: Box(copying: host.place.lent), decisions: engine.saveDecisions())
    }
  }

  /// Puts back what was saved. Nothing of the program is told.
  package func restore(_ saved: SavedStore<State>) {
    engine.locked {
      guard let host else { preconditionFailure("a scope is restored with its store") }
      host.place.put(saved.box.lent)
      engine.restore(saved.decisions)
    }
  }
}
