/// Finds states by their hash: a table of their numbers with open addressing. Pure.
struct StateTable {
  private var slots: [Int32]
  private var hashes: ContiguousArray<UInt32> = []

  init() { slots = Array(repeating: -1, count: 64) }

  /// The number of the state with this hash for which `isSought` is true; `nil` if there is none.
  func find(hash: Int, where isSought: (Int) -> Bool) -> Int? {
    let short = Self.short(hash)
    let mask = slots.count - 1
    var slot = Int(short) & mask
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if hashes[number] == short, isSought(number) { return number }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Adds a new state under the next number.
  mutating func insert(hash: Int) {
    if hashes.count * 2 >= slots.count { grow() }
    let short = Self.short(hash)
    put(Int32(hashes.count), short)
    hashes.append(short)
  }

  private static func short(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }

  private mutating func put(_ number: Int32, _ short: UInt32) {
    let mask = slots.count - 1
    var slot = Int(short) & mask
    while slots[slot] >= 0 { slot = (slot + 1) & mask }
    slots[slot] = number
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (number, short) in hashes.enumerated() { put(Int32(number), short) }
  }
}
