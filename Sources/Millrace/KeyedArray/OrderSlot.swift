/// What a node of the order tree keeps at one index: in a leaf an element's item, elsewhere a child node.
///
/// It knows neither the element's type nor that of its id, so that all of the tree is compiled once, for all element
/// types, also where the client's module cannot specialise it.
struct OrderSlot {
  /// In a leaf the item's place, elsewhere the smallest place beneath. Places are labels that ascend in order.
  var place: UInt64
  /// In a leaf the hash of the item's id, elsewhere the number of items beneath.
  var tally: Int
  /// In a leaf an `Item`, elsewhere an `OrderNode`.
  var object: AnyObject

  init(place: UInt64, hash: Int, item: AnyObject) {
    self.place = place
    tally = hash
    object = item
  }

  init(_ node: OrderNode) {
    place = node.slots[0].place
    tally = node.itemCount
    object = node
  }

  var hash: Int { tally }
  var node: OrderNode { unsafeDowncast(object, to: OrderNode.self) }
}
