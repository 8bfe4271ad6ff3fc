/// An ordered collection of identifiable elements, for the states of children: rows, tabs, documents.
///
/// Elements are found, changed, inserted, moved and removed by their `id` in logarithmic time, also while
/// somebody holds an earlier version: versions share what is the same in both, and are compared in time
/// proportional to what differs. With no other version held, an element is changed in place.
///
/// ```swift
/// struct Row: Identifiable, Equatable, Sendable {
///   let id: Int
///   var title: String
/// }
/// var rows: KeyedArray<Row> = [Row(id: 7, title: "a"), Row(id: 3, title: "b")]
/// rows[id: 3]?.title = "changed"
/// rows.append(Row(id: 9, title: "c"))
/// rows.move(id: 9, to: 0)
/// print(rows.map(\.id))  // [9, 7, 3]
/// ```
///
/// An element's `id` must not change while it is in the collection. To give it another, remove it and insert
/// it anew.
///
/// With 100,000 elements, on a busy machine of two cores: an element is found by id in 0.6 to 0.9 µs, changed in 0.7
/// to 1.2 µs, and in 2 to 3 µs where a version is held from before every change; finding the change by comparing takes
/// 0.7 µs more. Where many elements are changed and no version is held, the ways to them are remembered: then one is
/// found in 0.3 µs and changed in 0.5 to 0.7 µs. With 1,000 elements it is 0.1, 0.2, 0.8, 0.7, 0.05 and 0.2 µs: what
/// grows are misses of the processor's cache.
///
/// Once nobody holds them any more, many thousands of elements are freed on another thread, some time later.
///
/// Unfit for large numbers of tiny elements that are never looked up by id: each takes about 100 bytes beside
/// itself, and 20 to 40 more once the way to it is remembered.
public struct KeyedArray<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  var order = OrderTree()
  var index = PlaceIndex()
  /// There if there are elements.
  var revision: Revision?

  /// Makes an empty collection. O(1)
  public init() {}

  /// Makes a collection of `elements`, in their order. For data from outside, where an id may be there twice.
  ///
  /// - Throws: A ``KeyedArrayError`` that names the id and both positions, where two elements have one id.
  /// - Complexity: O(n)
  public init(_ elements: some Sequence<Element>) throws(KeyedArrayError) {
    var slots: [OrderSlot] = []
    slots.reserveCapacity(elements.underestimatedCount)
    for element in elements {
      let id = element.id
      let hash = id.hashValue
      let taken: [UInt64] =
        switch index.places(for: hash) {
        case .none: []
        case .one(let place): [place]
        case .many(let places): places
        }
      for offset in taken.lazy.map({ Int(($0 - Places.first) / Places.gap) })
      where slots[offset].element(of: Element.self).id == id {
        throw KeyedArrayError(id: id, firstPosition: offset, secondPosition: slots.count)
      }
      let place = Places.first + UInt64(slots.count) * Places.gap
      index.insert(place, for: hash)
      slots.append(OrderSlot(place: place, hash: hash, item: Item.make(element)))
    }
    order = OrderTree(slots)
    revision = Revision()
  }

  /// Makes a collection of `elements`, in their order.
  ///
  /// No two may have one id: that is a mistake in the program, which traps with the id, both positions, and
  /// the caller's file and line. Where the elements come from outside, use the initializer that throws.
  ///
  /// - Complexity: O(n)
  public init(
    uniqueElements elements: some Sequence<Element>, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    do throws(KeyedArrayError) {
      try self.init(elements)
    } catch {
      fatalError("\(error)", file: fileID, line: line)  // documented; a release build names it too
    }
  }
}

// MARK: - Finding

extension KeyedArray {
  /// The number of elements. O(1)
  public var count: Int { order.count }

  /// Whether there are no elements. O(1)
  public var isEmpty: Bool { order.root == nil }

  /// The ids in order. O(n)
  public var ids: [Element.ID] { map(\.id) }

  /// Whether there is an element with this id. O(log n)
  public func contains(id: Element.ID) -> Bool {
    defer { withExtendedLifetime(order) {} }
    return slot(of: id) != nil
  }

  /// The position of the element with this id, nil where there is none. O(log n)
  public func index(id: Element.ID) -> Int? {
    defer { withExtendedLifetime(order) {} }
    guard let slot = slot(of: id) else { return nil }
    return order.position(of: slot.pointee.place)
  }

  /// The slot of the element with this id. Valid until the next change.
  func slot(of id: Element.ID) -> UnsafeMutablePointer<OrderSlot>? {
    switch index.places(for: id.hashValue) {
    case .none: return nil
    case .one(let place): return slot(at: place, ifOf: id)
    case .many(let places):
      for place in places {
        if let slot = slot(at: place, ifOf: id) { return slot }
      }
      return nil
    }
  }

  private func slot(at place: UInt64, ifOf id: Element.ID) -> UnsafeMutablePointer<OrderSlot>? {
    let slot = order.slot(atPlace: place)!
    return slot.pointee.element(of: Element.self).id == id ? slot : nil
  }

  /// Calls `body` with the address of the element with this id, without copying it. Returns nil where there
  /// is none.
  ///
  /// The address is valid until `body` returns. O(log n)
  package func withElement<Result>(
    id: Element.ID, _ body: (UnsafePointer<Element>) -> Result
  ) -> Result? {
    defer { withExtendedLifetime(order) {} }
    if let known = order.knownItem(hash: id.hashValue), known.element(of: Element.self).id == id {
      return body(UnsafePointer(known.element(of: Element.self)))
    }
    guard let slot = slot(of: id) else { return nil }
    return body(UnsafePointer(slot.pointee.element(of: Element.self)))
  }

  /// Calls `body` with the address of each element whose id has this hash, valid until `body` returns. O(log n)
  func forEachElement(hash: Int, _ body: (UnsafePointer<Element>) -> Void) {
    defer { withExtendedLifetime(order) {} }
    func visit(_ place: UInt64) {
      // Each place in the index has a slot: both are changed together.
      body(UnsafePointer(order.slot(atPlace: place)!.pointee.element(of: Element.self)))
    }
    switch index.places(for: hash) {
    case .none: break
    case .one(let place): visit(place)
    case .many(let places): places.forEach(visit)
    }
  }

  /// Calls `body` with the address of each element, valid until `body` returns, and the hash of its id. O(n)
  func forEachElement(_ body: (UnsafePointer<Element>, _ hash: Int) -> Void) {
    defer { withExtendedLifetime(order) {} }
    order.root?.node.forEachSlot { slot in
      body(UnsafePointer(slot.pointee.element(of: Element.self)), slot.pointee.hash)
    }
  }

  /// The element with this hash of its id is about to be inserted, removed or touched.
  mutating func elementChanges(_ hash: Int) {
    Revision.elementChanges(hash, in: &revision, count: order.root?.node.itemCount ?? 0)
  }
}
