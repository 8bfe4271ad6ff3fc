/// A part of the state, for a test that explores.
package struct ExploredPart<State> {
  fileprivate let path: PartialKeyPath<State>
  /// Where the part is stored in the state; `nil` where it is computed.
  fileprivate let bytes: Range<Int>?

  package init<Part>(_ path: KeyPath<State, Part>) {
    self.path = path
    bytes = MemoryLayout<State>.offset(of: path).map { $0..<$0 + MemoryLayout<Part>.size }
  }
}

/// Which parts of the state decide what.
extension ExploredStore {
  /// A connection that decides something.
  package struct Decider {
    package let connection: ConnectionIdentity
    /// The index of the part on which its decisions depend, and on nothing beside it; `nil` where there is none such, or
    /// where it begins and ends lifetimes.
    package let part: Int?
  }

  /// All that decides something, with the first of the parts on which it depends alone.
  ///
  /// An effect depends on a part alone if it watches the part, or a slice that is stored in the part or computed of it.
  package func deciders(in parts: [ExploredPart<State>]) -> [Decider] {
    engine.locked {
      SavedTree(of: engine).attachments.compactMap { attachment in
        guard let binding = attachment.binding, !attachment.isDisplay else { return nil }
        if case .parts = attachment.role { return Decider(connection: attachment.identity, part: nil) }
        guard binding is any RunServer else { return nil }
        let part = attachment.node.flatMap { node in parts.firstIndex { Self.isSlice(of: node, within: $0) } }
        return Decider(connection: attachment.identity, part: part)
      }
    }
  }

  /// Whether a node's slice, or one that it is computed of, is stored in a part or is the part.
  private static func isSlice(of node: Node, within part: ExploredPart<State>) -> Bool {
    var nodes: [Node] = []
    var next = node
    while let parent = next.parent {
      nodes.append(next)
      next = parent
    }
    var path: AnyKeyPath = \State.self
    var offset: Int? = 0
    for node in nodes.reversed() {
      // Of a slice that has no key path nothing is known but that it is computed of those before it.
      guard case .keyPath(let step)? = node.key, let longer = path.appending(path: step) else { return false }
      if longer == part.path { return true }
      path = longer
      offset = node.bytes.flatMap { bytes in offset.map { $0 + bytes.offset } }
      if let offset, let size = node.bytes?.size, let bytes = part.bytes,
        bytes.lowerBound <= offset, offset + size <= bytes.upperBound
      {
        return true
      }
    }
    return false
  }
}
