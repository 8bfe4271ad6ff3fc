/// A first-in-first-out list. It keeps at most as many taken slots as waiting elements, or 63. So it does not grow
/// under a steady flow, even if it is never empty.
package struct Fifo<Element> {
  private var elements: ContiguousArray<Element?> = []
  private var head = 0

  package init() {}

  package var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }

  package mutating func append(_ element: Element) { elements.append(element) }

  /// Removes the oldest element; `nil` if there is none. O(1), amortised.
  package mutating func takeFirst() -> Element? {
    guard head < elements.count, let element = elements[head] else { return nil }
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.capacity <= 1024)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}

extension Fifo: Sendable where Element: Sendable {}
