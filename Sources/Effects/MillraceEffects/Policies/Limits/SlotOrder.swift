/// The order in which tasks of equal priority get the slots of a ``ConcurrencyLimit``.
public enum SlotOrder: Hashable, Sendable {
  /// The task that has waited longest is next.
  case firstInFirstOut
  /// The last task to arrive is next, for instance to load what the user is looking at. Under constant load, the oldest
  /// tasks wait for ever.
  case lastInFirstOut

  /// Whether one of two waiting tasks goes first, by their priorities and times of arrival.
  package func precedes<Arrival: Comparable>(
    _ one: (priority: Int, arrival: Arrival), _ other: (priority: Int, arrival: Arrival)
  ) -> Bool {
    if one.priority != other.priority { return one.priority > other.priority }
    return switch self {
    case .firstInFirstOut: one.arrival < other.arrival
    case .lastInFirstOut: one.arrival > other.arrival
    }
  }
}
