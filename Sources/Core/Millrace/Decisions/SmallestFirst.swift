/// Elements with numbers, of which the one with the smallest number is taken first. A binary heap.
struct SmallestFirst<Element> {
  private var entries: ContiguousArray<(number: UInt64, element: Element)> = []

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// Adds an element. O(log n); O(1) if its number is not smaller than all others.
  mutating func insert(_ element: Element, at number: UInt64) {
    var index = entries.count
    entries.append((number, element))
    while index > 0, number < entries[(index - 1) / 2].number {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the element with the smallest number; `nil` if there is none with a number up to `limit`. O(log n).
  mutating func takeFirst(upTo limit: UInt64) -> Element? {
    guard let first = entries.first, first.number <= limit else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var (index, child) = (0, 1)
    while child < entries.count {
      if child + 1 < entries.count, entries[child + 1].number < entries[child].number { child += 1 }
      guard entries[child].number < entries[index].number else { break }
      entries.swapAt(index, child)
      (index, child) = (child, 2 * child + 1)
    }
    if entries.isEmpty { entries.removeAll(keepingCapacity: entries.capacity <= 1024) }
    return first.element
  }
}
