/// A value that lies in words of memory behind something else.
enum TailValue<Value> {
  /// How many words it takes, wherever the first of them lies.
  static var words: Int {
    TailMemory.words(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
  }

  /// Where the value lies in the words.
  @inline(__always)
  static func address(in words: UnsafeMutablePointer<UInt64>) -> UnsafeMutablePointer<Value> {
    TailMemory.aligned(words, to: MemoryLayout<Value>.alignment).assumingMemoryBound(to: Value.self)
  }
}

/// The same for who has the size and the alignment at hand, but not the type.
enum TailMemory {
  @inline(__always)
  static func words(size: Int, alignment: Int) -> Int {
    // More alignment than that of a word may cost words at the start.
    (size + max(alignment, 8) - 8 + 7) / 8
  }

  @inline(__always)
  static func aligned(_ words: UnsafeMutablePointer<UInt64>, to alignment: Int) -> UnsafeMutableRawPointer {
    let mask = UInt(bitPattern: alignment) &- 1
    return UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: words) &+ mask) & ~mask).unsafelyUnwrapped
  }
}
