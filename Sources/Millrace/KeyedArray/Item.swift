/// The heap memory of one element. Shared between the versions of a collection in which the element is the same.
///
/// The element is reached by pointer and copied from memory to memory, so that a large one does not lie on a stack.
final class Item<Element>: ManagedBuffer<ItemContent, Element> {
  static func make(_ initialize: (UnsafeMutablePointer<Element>) -> Void) -> Item {
    let item = unsafeDowncast(create(minimumCapacity: 1) { _ in .element }, to: Item.self)
    initialize(item.element)
    return item
  }

  deinit {
    if header == .element { element.deinitialize(count: 1) }
  }

  /// Valid while the item lives.
  var element: UnsafeMutablePointer<Element> { withUnsafeMutablePointerToElements { $0 } }

  /// Moves the element out.
  func takeElement() -> Element {
    header = .nothing
    return element.move()
  }

  /// Moves the element back in.
  func putElement(_ value: consuming Element) {
    element.initialize(to: value)
    header = .element
  }

  func copy() -> Item {
    withExtendedLifetime(self) { Item.make { $0.initialize(from: element, count: 1) } }
  }
}

/// Whether an item holds its element, or the element was moved out, to be changed elsewhere.
enum ItemContent { case element, nothing }

extension OrderSlot {
  func item<Element>(of type: Element.Type) -> Item<Element> {
    unsafeDowncast(object, to: Item<Element>.self)
  }

  /// The element of the slot's item. Valid while the item lives.
  func element<Element>(of type: Element.Type) -> UnsafeMutablePointer<Element> { item(of: type).element }
}
