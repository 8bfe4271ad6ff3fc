import Dispatch

// Freeing 100,000 elements takes tens of milliseconds. Usually a reducer releases them, and the store waits for it. So
// a node with many items leaves freeing its children to another thread.

extension OrderNode {
  /// The number of items above which a node leaves freeing them to another thread.
  static let itemsFreedAtOnce = 8192

  /// Whether freeing this node, which has no owner any more, frees many items. A node that was copied for a change has
  /// only one child that it does not share.
  var isLastOwnerOfMany: Bool {
    if itemCount <= Self.itemsFreedAtOnce { return false }
    return withUnsafeMutablePointerToElements { slots in
      var owned = 0
      for index in 0..<slotCount where owned < 2 && slots[index].hasOneOwner {
        owned += 1
      }
      return owned == 2
    }
  }

  /// Moves the slots to another thread, which releases them.
  func freeElsewhere() {
    let orphans = Orphans(
      slots: withUnsafeMutablePointerToElements { slots in
        (0..<slotCount).map { (slots + $0).move() }
      })
    DispatchQueue.global(qos: .utility).async { orphans.free() }
  }

  /// The slots of a freed node.
  private final class Orphans: @unchecked Sendable {  // only one thread uses the slots
    private var slots: [OrderSlot]

    init(slots: [OrderSlot]) { self.slots = slots }

    func free() { slots = [] }
  }
}
