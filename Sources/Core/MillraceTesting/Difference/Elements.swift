/// The children of a mirror by position, made when they are accessed. An array of `Any` of a million numbers would take
/// 32 MB.
struct Elements: RandomAccessCollection {
  private let children: AnyRandomAccessCollection<Mirror.Child>
  /// The collection itself, if it is known.
  private let whole: Any?

  init(_ mirror: Mirror, of collection: Any) {
    whole = collection
    children =
      AnyRandomAccessCollection(mirror.children) ?? AnyRandomAccessCollection(Array(mirror.children))
  }

  init(_ values: [Any]) {
    whole = nil
    children = AnyRandomAccessCollection(values.lazy.map { (label: nil, value: $0) })
  }

  var startIndex: Int { 0 }
  var endIndex: Int { children.count }

  subscript(position: Int) -> Any {
    children[children.index(children.startIndex, offsetBy: position)].value
  }

  // MARK: Comparing chunks

  private static let chunk = 1024

  /// The indices without the chunks that are equal at the beginning and at the end. Compares slices, since one `==` of
  /// a slice costs far less than that of each element.
  func unequalParts(with other: Elements) -> (Range<Int>, Range<Int>) {
    let shorter = Swift.min(count, other.count)
    var (start, end) = (0, 0)
    while start + Self.chunk <= shorter, isEqual(to: other, start, start) { start += Self.chunk }
    while end + Self.chunk <= shorter - start,
      isEqual(to: other, count - end - Self.chunk, other.count - end - Self.chunk)
    {
      end += Self.chunk
    }
    return (start..<count - end, start..<other.count - end)
  }

  private func isEqual(to other: Elements, _ start: Int, _ otherStart: Int) -> Bool {
    guard let old = slice(from: start), let new = other.slice(from: otherStart) else { return false }
    return Equality.of(old, new) == true
  }

  private func slice(from start: Int) -> Any? {
    guard let whole = whole as? any RandomAccessCollection else { return nil }
    return Self.slice(of: whole, start)
  }

  private static func slice<Whole: RandomAccessCollection>(of whole: Whole, _ start: Int) -> Any {
    let first = whole.index(whole.startIndex, offsetBy: start)
    return whole[first..<whole.index(first, offsetBy: chunk)]
  }
}
