/// The order in which tasks of equal priority that wait for a ``ConcurrencyLimit`` are served.
public enum SlotOrder: Hashable, Sendable {
  /// The one that has waited longest is next.
  case firstInFirstOut
  /// The one that came last is next, for instance to load what the user is looking at. Under constant load, the
  /// oldest wait for ever.
  case lastInFirstOut

  /// Whether of two that wait one goes before the other, each with its priority and when it has come.
  func precedes<Arrival: Comparable>(
    _ one: (priority: Int, arrival: Arrival), _ other: (priority: Int, arrival: Arrival)
  ) -> Bool {
    if one.priority != other.priority { return one.priority > other.priority }
    return switch self {
    case .firstInFirstOut: one.arrival < other.arrival
    case .lastInFirstOut: one.arrival > other.arrival
    }
  }
}
