/// The fate of an action that was sent to a store.
public enum Delivery: Sendable, Hashable {
  /// The action was reduced, and the state shows it.
  case reduced
  /// The action was dropped and counted, and never touched the state: it came from a run that was no longer live, or
  /// through a scope whose slice is gone.
  case fenced
  /// The store or the scope was shut down and accepts no more actions.
  case refused
}
