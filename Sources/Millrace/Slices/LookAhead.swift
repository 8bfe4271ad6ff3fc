/// Reads the memory of several objects that are about to be used, one right after the other.
///
/// Where there are many, each lies where the processor has to wait for it. It waits for several at once if nothing
/// depends on them, while using them one after the other makes it wait for each.
struct LookAhead {
  /// What was read. It means nothing, but what means nothing to anybody would not be read.
  private var read: UInt = 0

  /// So many at a time.
  static let distance = 16

  @inline(__always)
  mutating func touch(_ object: AnyObject?) {
    if let object { touch(Unmanaged.passUnretained(object).toOpaque()) }
  }

  @inline(__always)
  mutating func touch(_ memory: UnsafeRawPointer) { read &+= memory.load(as: UInt.self) }
}

extension Node {
  /// Touches the child that is to be served, if there is but one. The node itself was touched.
  @inline(__always)
  final func touchChild(_ ahead: inout LookAhead) { ahead.touch(children.first?.node) }

  /// Touches what is to be told of a change of the slice, and of its only child's. Both were touched.
  @inline(__always)
  final func touchDisplays(_ ahead: inout LookAhead) {
    ahead.touch(fields.pointee.displays.first)
    ahead.touch(children.first?.node.fields.pointee.displays.first)
  }
}
