extension KeyedArray: RandomAccessCollection {
  /// 0
  public var startIndex: Int { 0 }

  /// The number of elements. O(1)
  public var endIndex: Int { count }

  /// The element at `position`. A precondition is that `position` is in `0..<count`.
  ///
  /// To change it, name it by its id.
  ///
  /// - Complexity: O(log n). To go over all elements, iterate, which costs O(1) for each.
  public subscript(position: Int) -> Element {
    precondition(
      indices.contains(position), "position \(position) is not in a KeyedArray of \(count) elements")
    return order.slot(at: position).element(of: Element.self).pointee
  }

  /// Iterates over the elements in order.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The elements of a ``KeyedArray`` in order. Each costs O(1): one descent for every leaf of up to 32 elements.
  public struct Iterator: IteratorProtocol, Sendable {
    private var slots: OrderSlots

    init(_ elements: KeyedArray) { slots = OrderSlots(elements.order) }

    /// The next element, nil at the end.
    public mutating func next() -> Element? { slots.next()?.element(of: Element.self).pointee }
  }
}

/// The slots of an order tree in order.
struct OrderSlots: IteratorProtocol, @unchecked Sendable {  // the nodes it holds are not changed meanwhile: they are shared
  private let order: OrderTree
  private var leaf: OrderNode?
  private var index = 0
  private var position = 0

  init(_ order: OrderTree) { self.order = order }

  mutating func next() -> OrderSlot? {
    if let leaf, index < leaf.slotCount {
      defer { index += 1 }
      return leaf.slots[index]
    }
    guard let (leaf, index) = order.leaf(at: position) else { return nil }
    position += leaf.slotCount - index
    self.leaf = leaf
    self.index = index + 1
    return leaf.slots[index]
  }
}
