/// One slot of a node of the order tree: an item in a leaf, a child node in an inner node.
///
/// A slot does not depend on the types of elements and ids. So the tree is compiled once for all element types, even if
/// the client's module cannot specialise it.
struct OrderSlot {
  /// In a leaf the item's label; in an inner node the smallest label beneath.
  var label: UInt64
  /// In a leaf the hash of the item's id; in an inner node the number of items beneath.
  var tally: Int
  /// In a leaf an `Item`; in an inner node an `OrderNode`.
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

  /// Whether nothing else refers to the item or child. Check it before changing that object, on a slot in a changeable
  /// node.
  var hasOneOwner: Bool {
    mutating get { Owned<AnyObject>.isUnique(&object) }
  }

  /// Generic, since `isKnownUniquelyReferenced` on an `AnyObject` would open it and count its own reference.
  private enum Owned<Object: AnyObject> {
    static func isUnique(_ object: inout Object) -> Bool { isKnownUniquelyReferenced(&object) }
  }

  /// The hash of the item's id. For leaves.
  var hash: Int { tally }

  /// The item. `Element` is the collection's element type. For leaves.
  @inline(__always)
  func item<Element>(of type: Element.Type) -> Item<Element> {
    // Checked in a debug build: a collection puts only items of its own element type into the leaves of its tree.
    unsafeDowncast(object, to: Item<Element>.self)
  }

  /// The child. For inner nodes.
  var child: OrderNode {
    // Checked in a debug build: only `init(_: OrderNode)` makes the slots of inner nodes.
    @inline(__always) get { unsafeDowncast(object, to: OrderNode.self) }
  }
}
