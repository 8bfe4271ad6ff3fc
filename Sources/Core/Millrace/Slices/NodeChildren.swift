/// The children of a node, with a probe of each.
struct NodeChildren {
  /// The facts about a child that show, without access to the child, whether anything beneath it is due.
  struct Probe {
    /// `nil` if the slice must be evaluated.
    var bytes: PartBytes?
    var hasWatchers = false
    var hasDisplays = false
    /// Whether displays are due even if the slice is unchanged.
    var isMarked = false

    @inline(__always)
    func areWatchersDue(in whole: Address) -> Bool { hasWatchers && !isUnchanged(in: whole) }

    @inline(__always)
    func areDisplaysDue(in whole: Address) -> Bool {
      // If effects watch the slice, it is up to date, and `isMarked` shows whether it has changed.
      hasDisplays && (isMarked || !hasWatchers && !isUnchanged(in: whole))
    }

    @inline(__always)
    private func isUnchanged(in whole: Address) -> Bool { bytes?.areUnchanged(in: whole) ?? false }
  }

  private(set) var nodes: [Node] = []
  /// The probe of each child, at the index of the child.
  var probes: [Probe] = []
  /// The index of each child by its key, if there are many children.
  private var byKey: [SliceKey: Int] = [:]

  /// The number of children from which a table finds them.
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

  /// Removes the child at an index, and moves the last child to that index.
  ///
  /// - Returns: the moved child, if any.
  mutating func remove(at index: Int) -> Node? {
    if !byKey.isEmpty, let key = nodes[index].key { byKey[key] = nil }
    nodes.swapAt(index, nodes.count - 1)
    probes.swapAt(index, probes.count - 1)
    nodes.removeLast()
    probes.removeLast()
    guard index < nodes.count else { return nil }
    if !byKey.isEmpty, let key = nodes[index].key { byKey[key] = index }
    return nodes[index]
  }
}
