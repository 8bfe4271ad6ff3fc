/// How a slice is reached from the value it is a part of.
///
/// A key path through stored properties is an offset into the value, read and compared in place; any other is
/// evaluated.
final class Projection<Whole, Part: Sendable>: Sendable {
  let key: ProjectionKey
  let name: String
  private let offset: Int?
  private let read: @Sendable (UnsafeRawPointer) -> Part

  init(_ path: any KeyPath<Whole, Part> & Sendable) {
    let path: KeyPath<Whole, Part> = path
    nonisolated(unsafe) let shared = path  // Sendable, as the parameter says; the conversion drops it
    offset = MemoryLayout<Whole>.offset(of: path)
    read = { $0.assumingMemoryBound(to: Whole.self).pointee[keyPath: shared] }
    key = .keyPath(path)
    name = "\(path)"
  }

  init(name: String, _ read: @escaping @Sendable (Whole) -> Part) {
    offset = nil
    self.read = { read($0.assumingMemoryBound(to: Whole.self).pointee) }
    key = .unique(ProjectionIdentity())
    self.name = name
  }

  /// Calls `body` with the address of the part of the whole at `whole`.
  func withPart(of whole: UnsafeRawPointer, _ body: (UnsafePointer<Part>) -> Void) {
    if let offset {
      body((whole + offset).assumingMemoryBound(to: Part.self))
    } else {
      // On the heap, so that a chain of computed slices takes no stack for their values.
      let part = UnsafeMutablePointer<Part>.allocate(capacity: 1)
      part.initialize(to: read(whole))
      body(UnsafePointer(part))
      part.deinitialize(count: 1)
      part.deallocate()
    }
  }
}

/// What makes two projections of one value the same: an equal key path. A closure is only the same as itself.
enum ProjectionKey: Hashable, @unchecked Sendable {  // key paths come from Sendable ones and are immutable
  case keyPath(AnyKeyPath)
  case unique(ProjectionIdentity)
}

/// An identity for what has no other.
final class ProjectionIdentity: Hashable, Sendable {
  static func == (left: ProjectionIdentity, right: ProjectionIdentity) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
