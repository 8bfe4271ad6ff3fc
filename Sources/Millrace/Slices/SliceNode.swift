/// The root of the tree: the state itself, or the whole of another lifetime, which is never compared.
final class StateNode: Node {
  /// - Parameter state: the address of the state, which is not kept.
  static func make(_ state: UnsafeRawPointer, parent: Node? = nil) -> Node {
    let made = create(minimumCapacity: 0) { _ in
      Fields(value: UnsafeMutableRawPointer(mutating: state), parent: parent, isHeld: parent != nil)
    }
    return unsafeDowncast(made, to: Self.self)  // made by this very class
  }

  override var name: String { "\\.self" }
  override func refresh(from whole: UnsafeRawPointer) -> Bool { true }
}

extension Projection where Part: Equatable {
  /// Makes the node of its slice, with the present value.
  ///
  /// - Parameter isHeld: whether a lifetime holds it, so that it is nobody's child.
  func makeNode(of whole: UnsafeRawPointer, under parent: Node, isHeld: Bool = false) -> Node {
    if let path = key.keyPath, let offset, !isHeld {
      return StoredSliceNode<Part>.make(path, at: offset, of: whole, under: parent)
    }
    return SliceNode.make(self, of: whole, under: parent, isHeld: isHeld)
  }
}

/// A slice that is evaluated.
final class SliceNode<Whole, Part: Equatable & Sendable>: Node {
  static func make(
    _ projection: Projection<Whole, Part>, of whole: UnsafeRawPointer, under parent: Node, isHeld: Bool
  ) -> Node {
    let made = create(minimumCapacity: TailValue<Part>.words) { buffer in
      let last = buffer.withUnsafeMutablePointerToElements { TailValue<Part>.address(in: $0) }
      projection.withPart(of: whole) { last.initialize(from: $0, count: 1) }
      return Fields(value: last, parent: parent, isHeld: isHeld, source: projection)
    }
    return unsafeDowncast(made, to: Self.self)  // made by this very class
  }

  deinit { last.deinitialize(count: 1) }

  private var last: UnsafeMutablePointer<Part> {
    UnsafeMutablePointer(mutating: value.assumingMemoryBound(to: Part.self))
  }

  private var projection: Projection<Whole, Part> {
    guard let source = fields.pointee.source else { preconditionFailure("it was made with its projection") }
    return unsafeDowncast(source, to: Projection<Whole, Part>.self)  // which is all that it is made with
  }

  override var key: ProjectionKey { projection.key }
  override var name: String { projection.name }

  override func refresh(from whole: UnsafeRawPointer) -> Bool {
    let last = last
    var isChanged = false
    projection.withPart(of: whole) { part in
      if part.pointee != last.pointee {
        last.update(from: part, count: 1)
        isChanged = true
      }
    }
    return isChanged
  }
}

/// A slice that lies in the value that it is a part of.
final class StoredSliceNode<Part: Equatable & Sendable>: Node {
  static func make(
    _ path: AnyKeyPath, at offset: Int, of whole: UnsafeRawPointer, under parent: Node
  ) -> Node {
    let made = create(minimumCapacity: TailValue<Part>.words) { buffer in
      let last = buffer.withUnsafeMutablePointerToElements { TailValue<Part>.address(in: $0) }
      last.initialize(from: (whole + offset).assumingMemoryBound(to: Part.self), count: 1)
      return Fields(value: last, parent: parent, source: path, offset: offset)
    }
    return unsafeDowncast(made, to: Self.self)  // made by this very class
  }

  deinit { last.deinitialize(count: 1) }

  private var last: UnsafeMutablePointer<Part> {
    UnsafeMutablePointer(mutating: value.assumingMemoryBound(to: Part.self))
  }

  private var keyPath: AnyKeyPath {
    guard let source = fields.pointee.source else { preconditionFailure("it was made with its key path") }
    return unsafeDowncast(source, to: AnyKeyPath.self)  // which is all that it is made with
  }

  override var key: ProjectionKey { .keyPath(keyPath) }
  override var name: String { "\(keyPath)" }

  override var place: ComparedPlace? {
    ComparedPlace(offset: fields.pointee.offset, size: MemoryLayout<Part>.size, last: value)
  }

  override func refresh(from whole: UnsafeRawPointer) -> Bool {
    let (part, last) = ((whole + fields.pointee.offset).assumingMemoryBound(to: Part.self), last)
    if part.pointee == last.pointee { return false }
    last.update(from: part, count: 1)
    return true
  }
}
