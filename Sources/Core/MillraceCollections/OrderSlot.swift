/// One slot of a node of the order tree: in a leaf an item, in an inner node a child node.
///
/// A slot knows neither the element's type nor that of its id, so the whole tree is compiled once, for all element types,
/// also where the client's module cannot specialise it.
struct OrderSlot {
  /// In a leaf the item's label, in an inner node the smallest label beneath.
  var label: UInt64
  /// In a leaf the hash of the item's id, in an inner node the number of items beneath.
  var tally: Int
  /// In a leaf an `Item`, in an inner node an `OrderNode`.
  var object: AnyObject

  init<Element>(label: UInt64, hash: Int, item: Item<Element>) {
    self.label = label
    tally = hash
    object = item
  }

  init(_ child: OrderNode) {
    label = child.firstLabel
    tally = child.itemCount
    object = child
  }

  /// Whether nothing else refers to the item or child. To be asked before changing it, so as of a slot in a node that can
  /// be changed.
  var hasOneOwner: Bool {
    mutating get { Owned<AnyObject>.isUnique(&object) }
  }

  /// The standard library's function itself would open the `AnyObject`, and so count a reference of its own.
  private enum Owned<Object: AnyObject> {
    static func isUnique(_ object: inout Object) -> Bool { isKnownUniquelyReferenced(&object) }
  }

  /// In a leaf the hash of the item's id.
  var hash: Int { tally }

  /// In a leaf the item. `Element` is the collection's element type.
  @inline(__always)
  func item<Element>(of type: Element.Type) -> Item<Element> {
    // Checked in a debug build: a collection puts only items of its own element type into the leaves of its tree.
    unsafeDowncast(object, to: Item<Element>.self)
  }

  /// In an inner node the child.
  var child: OrderNode {
    // Checked in a debug build: the slots of inner nodes are made by `init(_: OrderNode)` alone.
    @inline(__always) get { unsafeDowncast(object, to: OrderNode.self) }
  }
}
