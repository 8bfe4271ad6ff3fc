/// What became of one action that was sent to a store.
public enum Delivery: Sendable, Hashable {
  /// The action was reduced; the state already shows it.
  case reduced
  /// The action came from a run that was no longer live, or through a scope whose slice is gone. It never
  /// touched the state, and was counted.
  case fenced
  /// The store, or the scope it was sent through, accepts no more actions.
  case refused
}
