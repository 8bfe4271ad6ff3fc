/// How a slice is reached from the value it is a part of.
///
/// A key path through stored properties is an offset into the value, read and compared in place; any other is
/// evaluated.
final class Projection<Whole, Part: Sendable>: Sendable {
  /// Calls the closure with the part of the whole, if it is there.
  typealias Locate = @Sendable (UnsafePointer<Whole>, (UnsafePointer<Part>) -> Void) -> Void

  private enum Way: Sendable {
    case offset(Int)
    case evaluated(@Sendable (UnsafePointer<Whole>) -> Part)
    case located(Locate)
  }

  let key: ProjectionKey
  private let given: StaticString?
  private let way: Way

  init(_ path: any KeyPath<Whole, Part> & Sendable) {
    let path: KeyPath<Whole, Part> = path
    nonisolated(unsafe) let shared = path  // Sendable, as the parameter says; the conversion drops it
    if let offset = MemoryLayout<Whole>.offset(of: path) {
      way = .offset(offset)
    } else {
      way = .evaluated { $0.pointee[keyPath: shared] }
    }
    key = .keyPath(path)
    given = nil
  }

  /// How the slice is called in an activity list. Spelled out only when somebody asks.
  var name: String {
    if case .keyPath(let path) = key { return "\(path)" }
    return "\(given ?? "computed") \(Part.self)"
  }

  /// A slice that a closure computes: the same only as itself.
  init(_ name: StaticString, _ read: @escaping @Sendable (Whole) -> Part) {
    way = .evaluated { read($0.pointee) }
    key = .unique(ProjectionIdentity())
    given = name
  }

  /// A part that may be absent: the same only as itself.
  init(_ name: StaticString, locating locate: @escaping Locate) {
    way = .located(locate)
    key = .unique(ProjectionIdentity())
    given = name
  }

  /// Where the part lies in the whole; `nil` if it is not stored in it.
  var offset: Int? {
    if case .offset(let offset) = way { offset } else { nil }
  }

  /// Calls `body` with the address of the part of the whole at `whole`, unless it is absent.
  func withPart(of whole: UnsafeRawPointer, _ body: (UnsafePointer<Part>) -> Void) {
    switch way {
    case .offset(let offset):
      body((whole + offset).assumingMemoryBound(to: Part.self))
    case .evaluated(let read):
      // On the heap, so that a chain of computed slices takes no stack for their values.
      let part = UnsafeMutablePointer<Part>.allocate(capacity: 1)
      Self.evaluate(read, whole, into: part)
      body(UnsafePointer(part))
      part.deinitialize(count: 1)
      part.deallocate()
    case .located(let locate):
      locate(whole.assumingMemoryBound(to: Whole.self), body)
    }
  }

  // A frame of its own for the result, which must not lie beneath `body`: scopes nest.
  @inline(never)
  private static func evaluate(
    _ read: @Sendable (UnsafePointer<Whole>) -> Part, _ whole: UnsafeRawPointer,
    into part: UnsafeMutablePointer<Part>
  ) {
    part.initialize(to: read(whole.assumingMemoryBound(to: Whole.self)))
  }
}

/// What makes two projections of one value the same: an equal key path. A closure is only the same as itself.
enum ProjectionKey: Hashable, @unchecked Sendable {  // key paths come from Sendable ones and are immutable
  case keyPath(AnyKeyPath)
  case unique(ProjectionIdentity)

  var keyPath: AnyKeyPath? {
    if case .keyPath(let path) = self { path } else { nil }
  }
}

/// An identity for what has no other.
final class ProjectionIdentity: Hashable, Sendable {
  static func == (left: ProjectionIdentity, right: ProjectionIdentity) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
