/// A map from hashes to values: a table with open addressing, in which a lookup mostly reads one line of memory. The hash
/// is the key: a hash has one value.
package struct HashTable<Value>: Sequence {
  /// The hash is stored beside the value, so that skipping a bucket reads nothing else.
  private struct Bucket {
    var hash = 0
    var value: Value?
  }

  private var buckets: ContiguousArray<Bucket> = []
  package private(set) var count = 0

  package init() {}

  /// The value for this hash, nil if there is none. Reading costs O(1); setting, also to nil, amortised O(1).
  package subscript(hash: Int) -> Value? {
    get { buckets.isEmpty ? nil : buckets[bucket(of: hash)].value }
    set {
      guard let newValue else { return remove(hash) }
      if count * 8 >= buckets.count * 7 { resize(to: Swift.max(8, buckets.count * 2)) }
      let bucket = bucket(of: hash)
      if buckets[bucket].value == nil { count += 1 }
      buckets[bucket] = Bucket(hash: hash, value: newValue)
    }
  }

  private mutating func remove(_ hash: Int) {
    if buckets.isEmpty { return }
    let bucket = bucket(of: hash)
    if buckets[bucket].value == nil { return }
    buckets[bucket].value = nil
    count -= 1
    fillHole(at: bucket)
    if buckets.count > 64, count * 8 < buckets.count { resize(to: buckets.count / 4) }
  }

  /// Iterates over the current values, in any order. Making the iterator costs O(1).
  package func makeIterator() -> AnyIterator<Value> {
    let buckets = buckets
    var bucket = 0
    return AnyIterator {
      while bucket < buckets.count {
        defer { bucket += 1 }
        if let value = buckets[bucket].value { return value }
      }
      return nil
    }
  }

  /// The bucket that has the hash, or the empty one for it.
  private func bucket(of hash: Int) -> Int {
    let mask = buckets.count - 1
    var bucket = hash & mask
    while buckets[bucket].value != nil, buckets[bucket].hash != hash { bucket = (bucket + 1) & mask }
    return bucket
  }

  /// Moves up the values behind an emptied bucket that a lookup would not find any more.
  private mutating func fillHole(at emptied: Int) {
    let mask = buckets.count - 1
    var hole = emptied
    var bucket = (hole + 1) & mask
    while buckets[bucket].value != nil {
      let wanted = buckets[bucket].hash & mask
      if (bucket - wanted) & mask >= (bucket - hole) & mask {
        buckets[hole] = buckets[bucket]
        buckets[bucket].value = nil
        hole = bucket
      }
      bucket = (bucket + 1) & mask
    }
  }

  private mutating func resize(to capacity: Int) {
    let old = buckets
    buckets = ContiguousArray(repeating: Bucket(), count: capacity)
    for moved in old where moved.value != nil { buckets[bucket(of: moved.hash)] = moved }
  }
}
