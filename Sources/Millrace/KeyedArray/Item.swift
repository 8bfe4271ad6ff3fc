/// The heap memory of one element. Shared between the versions of a collection in which the element is the
/// same.
///
/// The element is reached by address and copied from memory to memory, so that a large one does not lie on a
/// stack. It is kept as an optional, so that it can be lent where it lies as what a subscript by id is. The
/// class is the same for all element types: to look up that of a generic class would cost more than what is
/// done here.
final class Item: ManagedBuffer<Item.Header, UInt64> {
  struct Header {
    let kind: any ItemKind.Type
  }

  /// An item that holds `element`, or none yet.
  static func make<Element>(_ element: consuming Element?) -> Item {
    let item = make(StoredKind<Element?>.self)
    StoredKind<Element?>.address(in: item.words).initialize(to: element)
    return item
  }

  /// An item that holds none yet.
  @inline(never)  // what asks for it only rarely is not to look up the optional's type each time
  static func makeEmpty<Element>(_ type: Element.Type) -> Item { make(nil as Element?) }

  private static func make(_ kind: any ItemKind.Type) -> Item {
    unsafeDowncast(create(minimumCapacity: kind.words) { _ in Header(kind: kind) }, to: Item.self)
  }

  deinit { header.kind.deinitialize(words) }

  private var words: UnsafeMutablePointer<UInt64> { withUnsafeMutablePointerToElements { $0 } }

  /// The address of the element, or of none. Valid while the item lives.
  func optional<Element>(of type: Element.Type) -> UnsafeMutablePointer<Element?> {
    // An optional is aligned as its value.
    TailMemory.aligned(words, to: MemoryLayout<Element>.alignment).assumingMemoryBound(to: Element?.self)
  }

  /// The address of the element that it holds. Valid while the item lives.
  @inline(__always)
  func element<Element>(of type: Element.Type) -> UnsafeMutablePointer<Element> {
    Unmanaged.passUnretained(self).element(of: type)
  }

  /// Whether it holds none. Looked at where it lies, without copying the element; nobody else holds it.
  func holds<Element>(none type: Element.Type) -> Bool { isNone(optional(of: type).pointee) }

  /// Whether it holds an element with this id.
  func holds<Element: Identifiable>(_ type: Element.Type, id: Element.ID) -> Bool {
    !holds(none: type) && element(of: type).id == id
  }

  /// An item that holds a copy.
  func copy() -> Item {
    let kind = header.kind
    let copy = Item.make(kind)
    withExtendedLifetime(self) { kind.initialize(copy.words, from: words) }
    return copy
  }
}

/// Whether there is no value. Written as for values that cannot be copied, so that it is looked at where it lies: otherwise
/// the optional's type would be looked up for a copy, which costs more than the rest of a change.
private func isNone<Value: ~Copyable>(_ value: borrowing Value?) -> Bool {
  switch value {
  case .none: true
  case .some: false
  }
}

/// How an item's memory is treated, for one element type.
protocol ItemKind {
  /// How many words of memory it takes.
  static var words: Int { get }
  static func initialize(_ words: UnsafeMutablePointer<UInt64>, from other: UnsafeMutablePointer<UInt64>)
  static func deinitialize(_ words: UnsafeMutablePointer<UInt64>)
}

/// How an item that holds a `Stored` is treated, an optional element. Generic in that rather than in the element: the
/// optional's type is then at hand, and need not be looked up at each call.
enum StoredKind<Stored>: ItemKind {
  static var words: Int {
    TailMemory.words(size: MemoryLayout<Stored>.size, alignment: MemoryLayout<Stored>.alignment)
  }

  @inline(__always)
  static func address(in words: UnsafeMutablePointer<UInt64>) -> UnsafeMutablePointer<Stored> {
    TailMemory.aligned(words, to: MemoryLayout<Stored>.alignment).assumingMemoryBound(to: Stored.self)
  }

  static func initialize(_ words: UnsafeMutablePointer<UInt64>, from other: UnsafeMutablePointer<UInt64>) {
    address(in: words).initialize(from: address(in: other), count: 1)
  }

  static func deinitialize(_ words: UnsafeMutablePointer<UInt64>) {
    address(in: words).deinitialize(count: 1)
  }
}

extension OrderSlot {
  /// In a leaf.
  var item: Item { unsafeDowncast(object, to: Item.self) }

  /// The address of the item's element. Valid while the item lives.
  @inline(__always)
  func element<Element>(of type: Element.Type) -> UnsafeMutablePointer<Element> {
    Unmanaged.passUnretained(unsafeDowncast(object, to: Item.self)).element(of: type)
  }

  /// Makes the item one that nobody else holds. The slot's node is unique.
  mutating func makeItemUnique() {
    withReference(to: Item.self) { item in
      if !isKnownUniquelyReferenced(&item) { item = item.copy() }
    }
  }
}

extension Unmanaged where Instance == Item {
  /// The address of the item's element. Valid while the item lives.
  @inline(__always)
  func element<Element>(of type: Element.Type) -> UnsafeMutablePointer<Element> {
    _withUnsafeGuaranteedRef { item in
      item.withUnsafeMutablePointerToElements {
        // An optional's value lies at its start, and an optional is aligned as its value.
        TailMemory.aligned($0, to: MemoryLayout<Element>.alignment).assumingMemoryBound(to: Element.self)
      }
    }
  }
}

extension UnsafeMutablePointer where Pointee: Identifiable {
  /// The element's id. Only ever read: the element may be shared among threads, which an access as `inout` would be a
  /// race with, although nothing is written.
  var id: Pointee.ID { pointee.id }
}

extension UnsafePointer where Pointee: Equatable {
  /// Whether the elements are equal, compared where they lie: `pointee == other.pointee` would first copy
  /// both.
  func isEqual(to other: Self) -> Bool {
    func compare(_ left: inout Pointee, _ right: inout Pointee) -> Bool { left == right }
    return self == other
      || compare(
        &UnsafeMutablePointer(mutating: self).pointee, &UnsafeMutablePointer(mutating: other).pointee)
  }
}
