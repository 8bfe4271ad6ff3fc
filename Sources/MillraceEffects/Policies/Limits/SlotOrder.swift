/// Who is next among those who wait for a ``ConcurrencyLimit`` with equal priority.
public enum SlotOrder: Hashable, Sendable {
  /// Whoever has waited longest.
  case firstInFirstOut
  /// Whoever came last, as for what is being looked at right now. Under constant load, the oldest wait for ever.
  case lastInFirstOut
}
