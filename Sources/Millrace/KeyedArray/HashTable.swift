/// Values by the hashes that somebody has at hand: a table with open addressing, in which a look-up mostly reads one
/// line of memory. Equal hashes are one.
struct HashTable<Value>: Sequence {
  /// The hash lies beside the value, so that passing by a slot touches nothing else.
  private struct Slot {
    var hash = 0
    var value: Value?
  }

  private var slots: ContiguousArray<Slot> = []
  private(set) var count = 0

  /// The value with this hash. Putting one in, or `nil`, costs O(1), amortised.
  subscript(hash: Int) -> Value? {
    get { slots.isEmpty ? nil : slots[slot(of: hash)].value }
    set {
      guard let newValue else { return remove(hash) }
      if count * 8 >= slots.count * 7 { resize(to: Swift.max(8, slots.count * 2)) }
      let slot = slot(of: hash)
      if slots[slot].value == nil { count += 1 }
      slots[slot] = Slot(hash: hash, value: newValue)
    }
  }

  /// The object with this hash, without counting a reference, which would wait for the object's memory before anything
  /// else of it is read.
  func unretained(_ hash: Int) -> Unmanaged<Value>? where Value: AnyObject {
    if slots.isEmpty { return nil }
    let slot = slot(of: hash)
    return slots.withUnsafeBufferPointer { slots in slots[slot].value.map(Unmanaged.passUnretained) }
  }

  private mutating func remove(_ hash: Int) {
    if slots.isEmpty { return }
    let slot = slot(of: hash)
    if slots[slot].value == nil { return }
    slots[slot].value = nil
    count -= 1
    fillHole(at: slot)
    if slots.count > 64, count * 8 < slots.count { resize(to: slots.count / 4) }
  }

  /// All values, as they are now: to begin costs nothing, however many there are.
  func makeIterator() -> AnyIterator<Value> {
    let slots = slots
    var slot = 0
    return AnyIterator {
      while slot < slots.count {
        defer { slot += 1 }
        if let value = slots[slot].value { return value }
      }
      return nil
    }
  }

  /// Where the hash is, or where it is to be put.
  private func slot(of hash: Int) -> Int {
    let mask = slots.count - 1
    var slot = hash & mask
    while slots[slot].value != nil, slots[slot].hash != hash { slot = (slot + 1) & mask }
    return slot
  }

  /// Moves those behind an emptied slot up that would not be found any more.
  private mutating func fillHole(at emptied: Int) {
    let mask = slots.count - 1
    var hole = emptied
    var slot = (hole + 1) & mask
    while slots[slot].value != nil {
      let wanted = slots[slot].hash & mask
      if (slot - wanted) & mask >= (slot - hole) & mask {
        slots[hole] = slots[slot]
        slots[slot].value = nil
        hole = slot
      }
      slot = (slot + 1) & mask
    }
  }

  private mutating func resize(to capacity: Int) {
    let old = slots
    slots = ContiguousArray(repeating: Slot(), count: capacity)
    for moved in old where moved.value != nil { slots[slot(of: moved.hash)] = moved }
  }
}
