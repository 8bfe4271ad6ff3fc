/// The order in which tasks of equal priority that wait for a ``ConcurrencyLimit`` are served.
public enum SlotOrder: Hashable, Sendable {
  /// The one that has waited longest is next.
  case firstInFirstOut
  /// The one that came last is next, for instance to load what the user is looking at. Under constant load, the
  /// oldest wait for ever.
  case lastInFirstOut
}
