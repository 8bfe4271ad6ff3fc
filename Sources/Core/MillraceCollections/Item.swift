/// The heap memory of one element, shared by all versions of a collection that contain the element.
///
/// The memory is empty only while a caller of the subscript by id has borrowed the element to change it.
final class Item<Element>: ManagedBuffer<Bool, Element> {  // the header says whether there is an element
  static func make(_ element: Element) -> Item {
    // Checked in a debug build: `create` makes an instance of the class that it is called on.
    let item = unsafeDowncast(create(minimumCapacity: 1) { _ in false }, to: Item.self)
    item.put(element)
    return item
  }

  deinit {
    if header { withUnsafeMutablePointerToElements { _ = $0.deinitialize(count: 1) } }
  }

  // MARK: Reading (any number of threads)

  /// Calls `body` with the element in place.
  @inline(__always)
  func read<Result, Failure: Error>(
    _ body: (borrowing Element) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeMutablePointerToElements { (pointer) throws(Failure) in
      try readInPlace(UnsafePointer(pointer), body)
    }
  }

  /// Calls `body` with the elements of both items in place.
  @inline(__always)
  func read<Result, Failure: Error>(
    with other: Item, _ body: (borrowing Element, borrowing Element) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeMutablePointerToElements { (pointer) throws(Failure) in
      try other.withUnsafeMutablePointerToElements { (otherPointer) throws(Failure) in
        try readInPlace(UnsafePointer(pointer), UnsafePointer(otherPointer), body)
      }
    }
  }

  /// Calls `body` with the address of the element, valid until `body` returns.
  @inline(__always)
  func withAddress<Result>(_ body: (UnsafePointer<Element>) -> Result) -> Result {
    withUnsafeMutablePointerToElements { body(UnsafePointer($0)) }
  }

  /// A copy of the element.
  @inline(__always)
  var element: Element { withUnsafeMutablePointerToElements { $0.pointee } }

  func copy() -> Item { Item.make(element) }

  // MARK: Changing (the item has one owner)

  /// Calls `body` with the element in place, to change it.
  @inline(__always)
  func change<Result, Failure: Error>(
    _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeMutablePointerToElements { (pointer) throws(Failure) in try body(&pointer.pointee) }
  }

  /// Moves the element out. The item is empty until another element is put in.
  @inline(__always)
  func take() -> Element {
    withUnsafeMutablePointerToHeader { $0.pointee = false }
    return withUnsafeMutablePointerToElements { $0.move() }
  }

  /// Moves an element into the empty item.
  @inline(__always)
  func put(_ element: Element) {
    withUnsafeMutablePointerToElements { $0.initialize(to: element) }
    withUnsafeMutablePointerToHeader { $0.pointee = true }
  }
}

extension Item where Element: Identifiable {
  var id: Element.ID { withUnsafeMutablePointerToElements { UnsafePointer($0).id } }
}

extension Item where Element: Equatable {
  /// Whether the elements are equal, or are one element in the same memory. Compares them in place.
  func isEqual(to other: Item) -> Bool {
    withUnsafeMutablePointerToElements { pointer in
      other.withUnsafeMutablePointerToElements { UnsafePointer(pointer).isEqual(to: UnsafePointer($0)) }
    }
  }
}
