/// What waits to be served, the first first. Taking one moves nothing.
struct ServiceLine<Element> {
  private var elements: [Element] = []
  private var next = 0

  /// A longer line gives its memory back when it is empty.
  private static var keptCapacity: Int { 1024 }

  var isEmpty: Bool { next == elements.count }

  /// The first of those that wait, up to so many.
  func upcoming(_ count: Int) -> ArraySlice<Element> { elements[next...].prefix(count) }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func takeFirst() -> Element? {
    if isEmpty {
      elements.removeAll(keepingCapacity: elements.count <= Self.keptCapacity)
      next = 0
      return nil
    }
    defer { next += 1 }
    return elements[next]
  }
}
