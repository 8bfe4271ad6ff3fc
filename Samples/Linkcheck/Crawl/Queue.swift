/// A queue. Taking the first element is O(1) on average.
struct Queue<Element: Equatable & Sendable>: Equatable, Sendable, Sequence {
  private var elements: [Element] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    defer {
      head += 1
      if head > 64, head * 2 > elements.count {
        elements.removeFirst(head)
        head = 0
      }
    }
    return elements[head]
  }

  func makeIterator() -> ArraySlice<Element>.Iterator { elements[head...].makeIterator() }
}
