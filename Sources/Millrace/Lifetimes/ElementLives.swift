/// The lives of a collection's elements, by the hashes of their ids, which the collection has at hand: a table with open
/// addressing, in which a look-up reads one line of memory.
struct ElementLives: Sequence {
  /// The hash lies beside the life, so that passing by a slot touches no object.
  private struct Slot {
    var hash = 0
    var life: ElementNode?
  }

  private var slots: ContiguousArray<Slot> = []
  private var usedSlots = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The first of those with this hash; the others follow it.
  func first(_ hash: Int) -> ElementNode? {
    slots.isEmpty ? nil : slots[slot(of: hash)].life
  }

  mutating func insert(_ life: ElementNode) {
    if usedSlots * 4 >= slots.count * 3 { resize(to: Swift.max(8, slots.count * 2)) }
    let slot = slot(of: life.hash)
    if let first = slots[slot].life {
      life.next = first.next
      first.next = life
    } else {
      slots[slot] = Slot(hash: life.hash, life: life)
      usedSlots += 1
    }
    count += 1
  }

  mutating func remove(_ life: ElementNode) {
    let slot = slot(of: life.hash)
    count -= 1
    defer { life.next = nil }
    guard slots[slot].life === life else {
      var before = slots[slot].life
      while let candidate = before, candidate.next !== life { before = candidate.next }
      before?.next = life.next
      return
    }
    slots[slot].life = life.next
    if life.next == nil {
      usedSlots -= 1
      fillHole(at: slot)
      if slots.count > 64, usedSlots * 8 < slots.count { resize(to: slots.count / 4) }
    }
  }

  /// All of them, one after the other: to begin costs nothing, however many there are.
  func makeIterator() -> AnyIterator<ElementNode> {
    let slots = slots
    var slot = 0
    var following: ElementNode?
    return AnyIterator {
      var life = following
      while life == nil, slot < slots.count {
        life = slots[slot].life
        slot += 1
      }
      following = life?.next
      return life
    }
  }

  /// Where the hash is, or where it is to be put.
  private func slot(of hash: Int) -> Int {
    let mask = slots.count - 1
    var slot = hash & mask
    while slots[slot].life != nil, slots[slot].hash != hash { slot = (slot + 1) & mask }
    return slot
  }

  /// Moves those behind an emptied slot up that would not be found any more.
  private mutating func fillHole(at emptied: Int) {
    let mask = slots.count - 1
    var hole = emptied
    var slot = (hole + 1) & mask
    while slots[slot].life != nil {
      let wanted = slots[slot].hash & mask
      if (slot - wanted) & mask >= (slot - hole) & mask {
        slots[hole] = slots[slot]
        slots[slot].life = nil
        hole = slot
      }
      slot = (slot + 1) & mask
    }
  }

  private mutating func resize(to capacity: Int) {
    let old = slots
    slots = ContiguousArray(repeating: Slot(), count: capacity)
    for moved in old where moved.life != nil { slots[slot(of: moved.hash)] = moved }
  }
}
