extension KeyedArray: RandomAccessCollection {
  /// The position of the first element: 0.
  public var startIndex: Int { 0 }

  /// The number of elements. O(1)
  public var endIndex: Int { count }

  /// The element at `position`. To change it, use the subscript by id.
  ///
  /// - Precondition: `position` is in `0..<count`.
  /// - Complexity: O(log n). Iterating over all elements costs O(1) for each.
  public subscript(position: Int) -> Element {
    precondition(
      indices.contains(position), "position \(position) is not in a KeyedArray of \(count) elements")
    return order.slot(at: position).item(of: Element.self).element
  }

  /// Returns an iterator over the elements in order.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Iterates over the elements of a ``KeyedArray`` in order. Each step costs O(1), amortised over leaves of up to 16
  /// elements.
  public struct Iterator: IteratorProtocol, @unchecked Sendable {  // a shared node is not changed
    private let order: OrderTree
    private var leaf: OrderNode?
    /// The number of elements in the leaf.
    private var leafCount = 0
    /// The index of the next element in the leaf.
    private var index = 0
    /// The number of elements in all leaves so far.
    private var position = 0

    init(_ elements: KeyedArray) { order = elements.order }

    /// Returns the next element; `nil` at the end.
    public mutating func next() -> Element? {
      if index == leafCount {
        guard let (next, _) = order.leaf(containing: position) else { return nil }
        leaf = next
        leafCount = next.slotCount
        index = 0
        position += leafCount
      }
      defer { index += 1 }
      return leaf!.slot(at: index).item(of: Element.self).element
    }
  }
}
