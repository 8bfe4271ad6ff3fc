/// The number of bytes that two buffers have in common at their beginnings and at their ends.
struct CommonBytes {
  let prefix: Int
  /// Counts no byte of the prefix.
  let suffix: Int

  /// - Complexity: O(n), eight bytes at a time.
  // Unsafe: called within the closures that lend the bytes.
  init(_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start + 8 <= shorter, Self.word(old, start) == Self.word(new, start) { start += 8 }
    while start < shorter, old[start] == new[start] { start += 1 }
    var end = 0
    while end + 8 <= shorter - start,
      Self.word(old, old.count - end - 8) == Self.word(new, new.count - end - 8)
    {
      end += 8
    }
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    (prefix, suffix) = (start, end)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
