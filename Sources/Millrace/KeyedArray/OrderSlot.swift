/// What a node of the order tree keeps at one index: in a leaf an element's item, elsewhere a child node.
///
/// It knows neither the element's type nor that of its id, so that all of the tree is compiled once, for all
/// element types, also where the client's module cannot specialise it.
struct OrderSlot {
  /// In a leaf the item's place, elsewhere the smallest place beneath. Places are labels that ascend in
  /// order.
  var place: UInt64
  /// In a leaf the hash of the item's id, elsewhere the number of items beneath.
  var tally: Int
  /// In a leaf an `Item`, elsewhere an `OrderNodeBuffer`.
  var object: AnyObject

  init(place: UInt64, hash: Int, item: AnyObject) {
    self.place = place
    tally = hash
    object = item
  }

  init(_ buffer: OrderNodeBuffer) {
    place = buffer.node.slots[0].place
    tally = buffer.node.itemCount
    object = buffer
  }

  var hash: Int { tally }

  /// The same memory without ownership. Copying and destroying slots one by one calls a function for each, and another
  /// from there; many are copied and destroyed with each change of a tree that is held.
  private struct Unowned {
    let place: UInt64
    let tally: Int
    let object: Unmanaged<AnyObject>
  }

  /// Initializes `count` slots with copies of others.
  @inline(__always)
  static func copy(
    _ others: UnsafeMutablePointer<OrderSlot>, to slots: UnsafeMutablePointer<OrderSlot>, count: Int
  ) {
    UnsafeMutableRawPointer(slots).copyMemory(from: others, byteCount: count * MemoryLayout<OrderSlot>.stride)
    others.withMemoryRebound(to: Unowned.self, capacity: count) { others in
      for index in 0..<count { _ = others[index].object.retain() }
    }
  }

  /// Deinitializes `count` slots.
  @inline(__always)
  static func destroy(_ slots: UnsafeMutablePointer<OrderSlot>, count: Int) {
    slots.withMemoryRebound(to: Unowned.self, capacity: count) { slots in
      for index in 0..<count { slots[index].object.release() }
    }
  }

  /// The child node. Valid while the slot is as it is.
  var node: OrderNode {
    @inline(__always) get { Unmanaged.passUnretained(unsafeDowncast(object, to: OrderNodeBuffer.self)).node }
  }

  @inline(__always)
  func hasObject(of other: OrderSlot) -> Bool {
    Unmanaged.passUnretained(object).toOpaque() == Unmanaged.passUnretained(other.object).toOpaque()
  }

  /// Calls `body` with the reference itself, of which the type is known.
  @inline(__always)
  mutating func withReference<Object: AnyObject, Result>(
    to type: Object.Type, _ body: (inout Object) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &object) { pointer in
      pointer.withMemoryRebound(to: type, capacity: 1) { body(&$0.pointee) }
    }
  }
}
