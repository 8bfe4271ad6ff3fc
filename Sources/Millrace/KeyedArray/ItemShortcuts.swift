/// The ways from the hash of an id straight to the item that has it, for a root of the order tree.
///
/// An item may be changed where it lies if no other version has it, or a node above it. To find it by its place, and to
/// look each time whether that is so, reads more memory, where there are many elements, than the rest of the change. So a
/// root that is changed often remembers the items of leaves that it was seen to have for itself. Until the root is copied
/// for another version, that stays so.
///
/// A copy of the root holds its shortcuts as well, without using them. So as long as a version lives that was made from
/// this one, and may have some of what lies beneath, the shortcuts have two holders, and are void; no version needs to
/// tell another one anything, which may be in use on another thread.
final class ItemShortcuts {
  /// By pointer, since a stored property of a class is checked for exclusive access at every use.
  private let items = UnsafeMutablePointer<HashTable<Unmanaged<Item>>>.allocate(capacity: 1)

  init() { items.initialize(to: HashTable()) }

  deinit {
    items.deinitialize(count: 1)
    items.deallocate()
  }

  /// The item with this hash of its id, which no other item has.
  subscript(hash: Int) -> Unmanaged<Item>? {
    @inline(__always) get { items.pointee[hash] }
    set { items.pointee[hash] = newValue }
  }

  /// In any order. O(n)
  var all: [Unmanaged<Item>] { Array(items.pointee) }
}

extension OrderNode {
  /// What a root knows of shortcuts. That of any other node is empty.
  struct Shortcuts {
    fileprivate(set) var table: ItemShortcuts?
    /// Whether they are those of this root, rather than of one that it was copied from.
    fileprivate(set) var areOwn = false
    /// How many elements were changed beneath without them.
    fileprivate var changes: UInt32 = 0

    /// Those of a copy of the root.
    var copied: Shortcuts { Shortcuts(table: table) }

    /// Whether so many elements were changed that they pay, of so many.
    fileprivate func pay(itemCount: Int) -> Bool { changes >= max(64, itemCount / 64) }
  }

  /// Lets go of shortcuts that are void, or of those of another version that is gone. To be called when a root is about to
  /// be changed, which is unique.
  func settleShortcuts() {
    if header.pointee.shortcuts.table == nil { return }
    let isHeldElsewhere = !isKnownUniquelyReferenced(&header.pointee.shortcuts.table)
    if isHeldElsewhere == header.pointee.shortcuts.areOwn { header.pointee.shortcuts = Shortcuts() }
  }

  // MARK: For a root whose shortcuts are settled

  /// Nobody else has the leaf, which lies beneath, nor a node above it; and no two items have one hash.
  func leafIsOwn(_ leaf: OrderNode) {
    if header.pointee.shortcuts.table == nil {
      header.pointee.shortcuts.changes += 1
      guard header.pointee.shortcuts.pay(itemCount: itemCount) else { return }
      header.pointee.shortcuts = Shortcuts(table: ItemShortcuts(), areOwn: true)
    }
    guard header.pointee.shortcuts.areOwn, let table = header.pointee.shortcuts.table else { return }
    for index in 0..<leaf.slotCount {
      table[leaf.slots[index].hash] = Unmanaged.passUnretained(leaf.slots[index].item)
    }
  }

  /// An item goes.
  func forgetItem(hash: Int) {
    if header.pointee.shortcuts.areOwn { header.pointee.shortcuts.table?[hash] = nil }
  }

  /// Any item may become another, or two may have one hash.
  func forgetItems() {
    if header.pointee.shortcuts.areOwn { header.pointee.shortcuts = Shortcuts() }
  }

  /// The other is no root any more, and this one, which has the same items beneath, is it.
  func takeShortcuts(from other: OrderNode) {
    swap(&header.pointee.shortcuts, &other.header.pointee.shortcuts)
  }
}

extension OrderTree {
  /// The item with this hash of its id, if it is known that nobody else has it, nor anything above it, and it is the right
  /// one. O(1)
  mutating func ownItem(hash: Int, where isRight: (Item) -> Bool) -> Item? {
    guard isKnownUniquelyReferenced(&root) else { return nil }
    root?.node.settleShortcuts()
    guard var known = knownItem(hash: hash) else { return nil }
    // An item may have been shared by another version that had the leaf, too.
    let isUnique = withUnsafeMutablePointer(to: &known) { known in
      known.withMemoryRebound(to: Item.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }
    let item = known.takeUnretainedValue()
    return isUnique && isRight(item) ? item : nil
  }

  /// The item with this hash of its id, if it is known. O(1)
  func knownItem(hash: Int) -> Unmanaged<Item>? {
    guard let header = root?.node.header, header.pointee.shortcuts.areOwn else { return nil }
    return header.pointee.shortcuts.table?[hash]
  }

  /// Nobody else has the leaf, nor a node above it; and no two items have one hash. The root's shortcuts are settled.
  mutating func leafIsOwn(_ leaf: OrderNode) { root?.node.leafIsOwn(leaf) }

  /// Any item may become another, or two may have one hash. The root is unique, and its shortcuts are settled.
  mutating func forgetItems() { root?.node.forgetItems() }
}
