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
    defer { withExtendedLifetime(order) {} }
    return order.slot(at: position).pointee.element(of: Element.self).pointee
  }

  /// Iterates over the elements in order.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The elements of a ``KeyedArray`` in order. Each costs O(1): one descent for every leaf of up to 16
  /// elements.
  public struct Iterator: IteratorProtocol, Sendable {
    private var slots: OrderSlots

    init(_ elements: KeyedArray) { slots = OrderSlots(elements.order) }

    /// The next element, nil at the end.
    public mutating func next() -> Element? {
      guard let slot = slots.next() else { return nil }
      defer { withExtendedLifetime(slots) {} }
      return slot.pointee.element(of: Element.self).pointee
    }
  }
}

/// The slots of an order tree in order.
struct OrderSlots: @unchecked Sendable {  // the nodes are shared while it holds the tree, and so not changed
  private let order: OrderTree
  private var leaf: OrderNode?
  private var index = 0
  private var position = 0

  init(_ order: OrderTree) { self.order = order }

  /// The next slot, valid while this lives.
  mutating func next() -> UnsafeMutablePointer<OrderSlot>? {
    if let leaf, index < leaf.slotCount {
      defer { index += 1 }
      return leaf.slots + index
    }
    guard let (leaf, index) = order.leaf(at: position) else { return nil }
    position += leaf.slotCount
    self.leaf = leaf
    self.index = index + 1
    return leaf.slots + index
  }
}
