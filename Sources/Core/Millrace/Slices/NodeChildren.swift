/// The children of a node, each with what the node knows of it.
struct NodeChildren {
  /// A node's copy of what it needs of a child, to see without touching the child that nothing of it is due.
  struct Probe {
    /// `nil` where the slice has to be evaluated.
    var bytes: PartBytes?
    var hasWatchers = false
    var hasDisplays = false
    /// Whether displays are due even if the slice is unchanged now.
    var isMarked = false

    @inline(__always)
    func areWatchersDue(in whole: Address) -> Bool { hasWatchers && !isUnchanged(in: whole) }

    @inline(__always)
    func areDisplaysDue(in whole: Address) -> Bool {
      // Where effects watch, the slice is up to date and has left its mark.
      hasDisplays && (isMarked || !hasWatchers && !isUnchanged(in: whole))
    }

    @inline(__always)
    private func isUnchanged(in whole: Address) -> Bool { bytes?.areUnchanged(in: whole) ?? false }
  }

  private(set) var nodes: [Node] = []
  /// Of each child at the same index.
  var probes: [Probe] = []
  /// The children by their keys, once there are many.
  private var byKey: [SliceKey: Int] = [:]

  /// From this number of children on they are found by a table.
  private static let tableLimit = 8

  var count: Int { nodes.count }

  /// The child with this key.
  subscript(key: SliceKey) -> Node? {
    if !byKey.isEmpty { return byKey[key].map { nodes[$0] } }
    return nodes.first { $0.key == key }
  }

  /// - Returns: the index of the child.
  mutating func append(_ child: Node, _ key: SliceKey) -> Int {
    let index = nodes.count
    nodes.append(child)
    probes.append(Probe(bytes: child.bytes))
    if !byKey.isEmpty {
      byKey[key] = index
    } else if nodes.count == Self.tableLimit {
      for (index, child) in nodes.enumerated() { if let key = child.key { byKey[key] = index } }
    }
    return index
  }

  /// Removes the child at an index, and puts the last one in its place.
  ///
  /// - Returns: the one that has moved there, if any.
  mutating func remove(at index: Int) -> Node? {
    if let key = nodes[index].key { byKey[key] = nil }
    nodes.swapAt(index, nodes.count - 1)
    probes.swapAt(index, probes.count - 1)
    nodes.removeLast()
    probes.removeLast()
    guard index < nodes.count else { return nil }
    if !byKey.isEmpty, let key = nodes[index].key { byKey[key] = index }
    return nodes[index]
  }
}
