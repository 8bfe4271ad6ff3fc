/// The access from a value to one of its parts.
///
/// A key path through stored properties is an offset into the value: the part is read and compared in place. Any other
/// part is computed from the value in place.
final class Projection<Whole, Part: Sendable>: Sendable {
  private enum Way: Sendable {
    case stored(offset: Int)
    case computed(@Sendable (borrowing Whole) -> Part)
  }

  let key: SliceKey
  private let way: Way

  init(_ path: any KeyPath<Whole, Part> & Sendable) {
    if let offset = MemoryLayout<Whole>.offset(of: path) {
      way = .stored(offset: offset)
    } else {
      way = .computed { (whole: borrowing Whole) in (copy whole)[keyPath: path] }
    }
    key = .keyPath(path)
  }

  /// A slice that a closure computes. It is equal only to itself.
  init(computed read: @escaping @Sendable (borrowing Whole) -> Part) {
    way = .computed(read)
    key = .unique(SliceKey.Identity())
  }

  /// The name of the slice in an activity list.
  var name: SliceName { SliceName(key: key, type: Part.self) }

  /// The offset of the part in the whole; `nil` if it is not stored there.
  var offset: Int? {
    if case .stored(let offset) = way { offset } else { nil }
  }

  /// Returns the current part in a box of its own.
  ///
  /// A function of its own, so that its stack frame, which holds the result, does not remain beneath `body` in
  /// `withPart` when scopes nest.
  @inline(never)
  func box(in whole: Borrowed<Whole>) -> Box<Part> {
    switch way {
    case .stored(let offset): Box(copying: whole.part(at: offset, Part.self))
    case .computed(let read): Box(whole.read(read))
    }
  }

  /// Calls `body` with the current part. A stored part is read in place; a computed one is in a temporary box.
  func withPart<Result>(of whole: Borrowed<Whole>, _ body: (Borrowed<Part>) -> Result) -> Result {
    if let offset { return body(whole.part(at: offset, Part.self)) }
    return box(in: whole).read(body)
  }
}

extension Projection where Part: Equatable {
  /// Returns the current part in a new box; `nil` if it equals the last one, without a copy or an allocation.
  func newBox(in whole: Borrowed<Whole>, last: Box<Part>) -> Box<Part>? {
    switch way {
    case .stored(let offset):
      let part = whole.part(at: offset, Part.self)
      if part.hasBytes(of: last.borrowed) || Borrowed.areEqual(part, last.borrowed) { return nil }
      return last.another(copying: part)
    case .computed(let read):
      let part = whole.read(read)
      if last.borrowed.read({ $0 == part }) { return nil }
      return last.another(part)
    }
  }
}

/// Identifies a slice of a value. Equal key paths give equal keys; a closure has a key of its own.
enum SliceKey: Hashable, @unchecked Sendable {  // key paths come from Sendable ones and are immutable
  /// The identity of a slice that a closure computes.
  final class Identity: HashedByIdentity, Sendable {}

  case keyPath(AnyKeyPath)
  case unique(Identity)
}
