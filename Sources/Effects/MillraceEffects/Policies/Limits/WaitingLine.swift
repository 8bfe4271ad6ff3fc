/// The waiters for a slot, as tickets, by priority and order of arrival. A ticket may leave before its turn.
///
/// A binary heap. A ticket that leaves stays in it as a dead entry, until it reaches the top or dead entries are the
/// majority. So the heap has at most twice as many entries as there are waiters.
struct WaitingLine {
  private struct Entry {
    let priority: Int
    let ticket: UInt64
  }

  private let order: SlotOrder
  private var heap: [Entry] = []
  private var waiting: Set<UInt64> = []

  init(_ order: SlotOrder) { self.order = order }

  var count: Int { waiting.count }

  /// The number of entries, including dead ones.
  var entryCount: Int { heap.count }

  /// The number of waiters before a ticket; `nil` if the ticket does not wait. O(n), for an activity list.
  func countBefore(_ ticket: UInt64) -> Int? {
    guard waiting.contains(ticket), let entry = heap.first(where: { $0.ticket == ticket }) else { return nil }
    return heap.count { waiting.contains($0.ticket) && $0.ticket != ticket && precedes($0, entry) }
  }

  /// Adds a ticket. O(log n)
  mutating func arrived(_ ticket: UInt64, priority: Int) {
    waiting.insert(ticket)
    heap.append(Entry(priority: priority, ticket: ticket))
    rise(from: heap.count - 1)
  }

  /// Removes a ticket. O(log n), amortized.
  mutating func left(_ ticket: UInt64) {
    if waiting.remove(ticket) != nil { buryDead() }
  }

  /// Removes and returns the next ticket. O(log n), amortized.
  mutating func next() -> UInt64? {
    while let first = heap.first {
      let last = heap.removeLast()
      if !heap.isEmpty {
        heap[0] = last
        sink(from: 0)
      }
      if waiting.remove(first.ticket) != nil {
        buryDead()
        return first.ticket
      }
    }
    return nil
  }

  private mutating func buryDead() {
    guard heap.count > 2 * waiting.count else { return }
    heap = heap.filter { waiting.contains($0.ticket) }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
  }

  private func precedes(_ left: Entry, _ right: Entry) -> Bool {
    order.precedes((left.priority, left.ticket), (right.priority, right.ticket))
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0, precedes(heap[index], heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(from start: Int) {
    var index = start
    while true {
      let (left, right) = (2 * index + 1, 2 * index + 2)
      var first = index
      if left < heap.count, precedes(heap[left], heap[first]) { first = left }
      if right < heap.count, precedes(heap[right], heap[first]) { first = right }
      if first == index { return }
      heap.swapAt(index, first)
      index = first
    }
  }
}
