/// The keys of a lane of a ``DurableOutbox``, in the order of delivery.
///
/// - Complexity: O(1) at both ends on average, O(n) in between.
struct OutboxLane: Hashable, Codable, Sendable {
  private var keys: [OutboxKey] = []
  /// The number of keys at the start of `keys` that were removed.
  private var start = 0
  var isPaused: Bool
  /// The key that may be delivered now.
  var due: OutboxKey?

  init(isPaused: Bool = false) { self.isPaused = isPaused }

  var first: OutboxKey? { start < keys.count ? keys[start] : nil }
  var ordered: ArraySlice<OutboxKey> { keys[start...] }

  mutating func append(_ key: OutboxKey) { keys.append(key) }

  mutating func replace(_ key: OutboxKey, by other: OutboxKey) {
    if let index = ordered.firstIndex(of: key) { keys[index] = other }
  }

  mutating func remove(_ key: OutboxKey) {
    guard key != first else {
      start += 1
      if start > 32, start > keys.count / 2 {
        keys.removeFirst(start)
        start = 0
      }
      return
    }
    if let index = ordered.firstIndex(of: key) { keys.remove(at: index) }
  }

  static func == (left: Self, right: Self) -> Bool {
    (left.isPaused, left.due) == (right.isPaused, right.due) && left.ordered == right.ordered
  }

  func hash(into hasher: inout Hasher) { hasher.combine(ordered) }
}
