/// One slice in the tree of watched slices. This class itself is the root, the whole state, which is never compared.
/// The other slices are a ``SliceNode`` or, for a part, a ``PartNode``.
///
/// A node exists while something is connected to it or to a node beneath it. If its slice is unchanged, nothing beneath
/// it is evaluated. Used with the turn lock held.
class Node {
  private(set) final var parent: Node?
  /// Gets the values that are replaced by newer ones.
  final let released: ReleasedValues
  /// `nil` at the root, and for the node of a part. A part's lifetime holds its node, which is in no list of children.
  final let key: SliceKey?
  /// The address of the value: in the state, or in the box that the node keeps.
  private final var address: Address
  private final var indexAtParent = 0
  private final var children = NodeChildren()
  private final var connections = NodeConnections()
  /// The numbers of connections at this node and beneath it.
  private(set) final var watcherCount = 0
  private(set) final var displayCount = 0
  /// Whether the slice has changed since the displays were last collected.
  private final var isMarked = false
  /// Whether its part of the state has ended during the serving.
  private final var isOver = false

  /// Makes the root, for the state at an address.
  init(stateAt address: Address, _ released: ReleasedValues) {
    parent = nil
    self.released = released
    key = nil
    self.address = address
  }

  init(address: Address, key: SliceKey?, under parent: Node) {
    self.address = address
    self.key = key
    self.parent = parent
    released = parent.released
  }

  /// The value. The caller knows its type, which is that of the slice to which it is connected. Valid until the end of
  /// the serving.
  @inline(__always)
  final func borrowed<Value>(as _: Value.Type) -> Borrowed<Value> {
    address.borrowed(as: Value.self)  // it is connected to a slice of this type
  }

  /// The step of the path from the parent's slice to this one.
  var step: SlicePath.Step { .whole }
  /// The id of the part of the state with this node; `nil` if the slice is no part or has no id.
  var partID: AnyHashable? { nil }
  /// The newest box; `nil` at the root, whose value is never kept.
  var erasedBox: AnyObject? { nil }
  var bytes: PartBytes? { nil }

  /// Updates the value.
  ///
  /// - Returns: whether it has changed. The state itself is not compared, so it counts as changed.
  func refresh() -> Bool { true }

  /// The path from the state to the slice.
  final var path: SlicePath {
    guard let parent, parent.parent != nil else { return SlicePath(steps: [step]) }
    return parent.path.appending(step)
  }

  // MARK: Changing
  //
  // A field is moved out while it is changed. If an access of a property lasted while code is called, Swift would check
  // every access of it at run time, which costs more than serving a child.

  private final func changeChildren(_ body: (inout NodeChildren) -> Void) {
    var changed = NodeChildren()
    swap(&changed, &children)
    body(&changed)
    swap(&changed, &children)
  }

  private final func changeConnections(_ body: (inout NodeConnections) -> Void) {
    var changed = NodeConnections()
    swap(&changed, &connections)
    body(&changed)
    swap(&changed, &connections)
  }

  /// Updates the parent's probe of this node.
  final func updateProbe() {
    guard let parent, key != nil else { return }
    var probes = parent.children.probes
    parent.children.probes = []
    probes[indexAtParent] = NodeChildren.Probe(
      bytes: bytes, hasWatchers: !isOver && watcherCount > 0, hasDisplays: !isOver && displayCount > 0,
      isMarked: isMarked)
    parent.children.probes = probes
  }

  // MARK: Children

  final var childCount: Int { children.count }

  /// The child with this key.
  final func child(_ key: SliceKey) -> Node? { children[key] }

  final func add(child: Node, _ key: SliceKey) {
    changeChildren { child.indexAtParent = $0.append(child, key) }
  }

  private final func remove(child: Node) {
    let index = child.indexAtParent
    changeChildren { $0.remove(at: index)?.indexAtParent = index }
    child.parent = nil
  }

  /// Removes the node from the tree if nothing is connected to it or beneath it, and its ancestors likewise.
  final func removeIfUnused() {
    guard watcherCount == 0, displayCount == 0, let parent else { return }
    // The node of a part is in no list of children, but it may have been the last node beneath its parent.
    if key != nil {
      parent.remove(child: self)
      released.append(self)
    }
    parent.removeIfUnused()
  }

  // MARK: Connections

  final func add(_ connected: Connected) {
    connected.node = self
    changeConnections { connected.enter(&$0) }
    count(connected, by: 1)
  }

  /// Removes a connection that is no longer counted.
  final func remove(_ connected: Connected) {
    connected.node = nil
    changeConnections { connected.leave(&$0) }
    removeIfUnused()
  }

  /// Changes a connection's counts. No slice is evaluated for an uncounted one.
  final func count(_ connected: Connected, by difference: Int) {
    if connected is Tap { return }
    let isDisplay = connected is Display
    var node: Node? = self
    while let ancestor = node {
      if isDisplay {
        ancestor.displayCount += difference
      } else {
        ancestor.watcherCount += difference
      }
      if ancestor.displayCount == 0 { ancestor.isMarked = false }
      ancestor.updateProbe()
      node = ancestor.parent
    }
  }

  // MARK: Serving

  /// The value has changed and has another address. The caller updates the probe.
  final func valueMoved(to address: Address) {
    self.address = address
    if displayCount > 0 { isMarked = true }
  }

  /// After a turn: calls the watchers of the slice, which has changed and is up to date, then the watchers beneath it.
  ///
  /// Nothing is connected to the tree or removed from it meanwhile. That waits for the end of the serving.
  final func serveWatchers() {
    // Keepers come first, so that no watcher of an ended part is called.
    for keeper in connections.keepers { keeper.sliceChanged(at: self) }
    for watcher in connections.watchers { watcher.sliceChanged(at: self) }
    let address = address
    for index in 0..<children.count where children.probes[index].areWatchersDue(in: address) {
      let child = children.nodes[index]
      if !child.refresh() { continue }
      child.updateProbe()
      child.serveWatchers()
    }
  }

  /// After a batch: collects the displays of all slices that have changed in it.
  final func collectDisplays(_ batches: inout [DisplayBatch]) {
    isMarked = false
    if !connections.displays.isEmpty, let box = erasedBox {
      batches.append(DisplayBatch(box: box, displays: connections.displays))
    }
    for keeper in connections.keepers { keeper.collectDisplays(&batches) }
    let address = address
    for index in 0..<children.count where children.probes[index].areDisplaysDue(in: address) {
      children.nodes[index].collectDisplaysIfChanged(&batches)
    }
  }

  /// Collects the displays if the slice has changed since the last call.
  final func collectDisplaysIfChanged(_ batches: inout [DisplayBatch]) {
    // If effects watch the slice, it is up to date, and `isMarked` shows whether it has changed.
    let isRefreshed = watcherCount == 0 && refresh()
    guard isRefreshed || isMarked else { return }
    collectDisplays(&batches)
    updateProbe()
  }

  /// Its part of the state has ended while the tree is served: no slice beneath it is evaluated from now on.
  final func partEnded() {
    isOver = true
    updateProbe()
    for keeper in connections.keepers { keeper.forEachPart { $0.partEnded() } }
    for child in children.nodes { child.partEnded() }
  }

  /// Calls `body` with all connections at this node and beneath it. The node's own taps come last.
  final func forEachConnected(_ body: (Connected) -> Void) {
    connections.watchers.forEach(body)
    connections.displays.forEach(body)
    for keeper in connections.keepers {
      body(keeper)
      keeper.forEachPart { $0.forEachConnected(body) }
    }
    for child in children.nodes { child.forEachConnected(body) }
    connections.taps.forEach(body)
  }

  /// Returns a connection of these kinds at the node or beneath it, outside of parts; `nil` if there is none.
  final func anyConnected(of kinds: [ConnectionKind]) -> Connected? {
    if let own = connections.any(of: kinds) { return own }
    for child in children.nodes.reversed() {
      if let found = child.anyConnected(of: kinds) { return found }
    }
    return nil
  }
}
