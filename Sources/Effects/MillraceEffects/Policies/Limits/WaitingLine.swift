import Millrace

/// The waiters for a slot, as tickets, in the order in which they get it. A ticket may leave before its turn.
struct WaitingLine {
  private struct Entry: Identifiable, Sendable {
    let id: UInt64
    let priority: Int
  }

  private let order: SlotOrder
  private var entries: KeyedArray<Entry> = []

  init(_ order: SlotOrder) { self.order = order }

  var count: Int { entries.count }

  /// The number of waiters before a ticket; `nil` if the ticket does not wait. O(log n)
  func countBefore(_ ticket: UInt64) -> Int? { entries.index(id: ticket) }

  /// Adds a ticket. O(log n) where all priorities are equal, otherwise O(log² n).
  mutating func arrived(_ ticket: UInt64, priority: Int) {
    let new = Entry(id: ticket, priority: priority)
    func isBehind(_ other: Entry) -> Bool {
      order.precedes((other.priority, other.id), (new.priority, new.id))
    }
    // Mostly the new ticket is the last one, or the first.
    var (start, end) = (0, entries.count)
    if let last = entries.last, isBehind(last) { start = end }
    if let first = entries.first, !isBehind(first) { end = 0 }
    while start < end {
      let middle = (start + end) / 2
      if isBehind(entries[middle]) { start = middle + 1 } else { end = middle }
    }
    entries.insert(new, at: start)
  }

  /// Removes a ticket. O(log n)
  mutating func left(_ ticket: UInt64) { entries.remove(id: ticket) }

  /// Removes and returns the next ticket. O(log n)
  mutating func next() -> UInt64? {
    guard let first = entries.first else { return nil }
    entries.remove(id: first.id)
    return first.id
  }
}
