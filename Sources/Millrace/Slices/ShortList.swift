/// A list whose first element lies in place. Mostly there is one, and then it takes no memory of its own.
struct ShortList<Element>: Sequence {
  private var head: Element?
  private var others: ContiguousArray<Element> = []

  var isEmpty: Bool { head == nil }
  var count: Int { head == nil ? 0 : others.count + 1 }
  var first: Element? { @inline(__always) get { head } }
  var last: Element? { others.last ?? head }

  subscript(index: Int) -> Element {
    @inline(__always) get { index == 0 ? head! : others[index - 1] }
    _modify {
      if index == 0 { yield &head! } else { yield &others[index - 1] }
    }
  }

  mutating func append(_ element: Element) {
    if head == nil { head = element } else { others.append(element) }
  }

  /// Removes an element and puts the last one in its place.
  ///
  /// - Returns: the one that has this place now; `nil` if it was the last one that was removed.
  mutating func removeBySwapping(at index: Int) -> Element? {
    guard let last = others.popLast() else {
      precondition(index == 0 && head != nil, "only what is there is removed")
      head = nil
      return nil
    }
    if index == others.count + 1 { return nil }
    self[index] = last
    return last
  }

  func makeIterator() -> Iterator { Iterator(head: head, others: others) }

  struct Iterator: IteratorProtocol {
    fileprivate var head: Element?
    fileprivate let others: ContiguousArray<Element>
    private var index = 0

    fileprivate init(head: Element?, others: ContiguousArray<Element>) {
      self.head = head
      self.others = others
    }

    @inline(__always)
    mutating func next() -> Element? {
      if let first = head.take() { return first }
      if index == others.count { return nil }
      defer { index += 1 }
      return others[index]
    }
  }
}
