/// One slice in the tree of watched slices. This class itself is the root, the whole state, which is never compared;
/// ``SliceNode`` is everything else.
///
/// A node exists while something is connected at it or beneath it. Where its slice did not change, nothing beneath is
/// looked at. Used with the turn lock held.
class Node {
  /// What a node knows of a child without touching it: enough to see that nothing of the child is due.
  struct Probe {
    /// `nil` where the slice has to be evaluated.
    var bytes: PartBytes?
    var hasEffects = false
    var hasDisplays = false
    /// Whether displays are due even if the slice is unchanged now.
    var isMarked = false

    @inline(__always)
    func areEffectsDue(in whole: UnsafeRawPointer) -> Bool { hasEffects && !isUnchanged(in: whole) }

    @inline(__always)
    func areDisplaysDue(in whole: UnsafeRawPointer) -> Bool {
      // Where effects watch, the slice is up to date and has left its mark.
      hasDisplays && (isMarked || !hasEffects && !isUnchanged(in: whole))
    }

    @inline(__always)
    private func isUnchanged(in whole: UnsafeRawPointer) -> Bool { bytes?.areUnchanged(in: whole) ?? false }
  }

  private(set) final var parent: Node?
  /// `nil` at the root and where a lifetime holds the node, which then is nobody's child.
  final let key: SliceKey?
  /// Where the value lies: in the state, or in the box that the node keeps. `nil` where it is the parent's value.
  private final var ownAddress: UnsafeRawPointer?
  private final var indexAtParent = 0
  private final var children: [Node] = []
  final var childCount: Int { children.count }
  private final var probes: [Probe] = []
  /// The children by their keys, once there are many.
  private final var childrenByKey: [SliceKey: Node] = [:]
  private final var effects: [Attachment] = []
  private final var displays: [Attachment] = []
  private final var keepers: [Attachment] = []
  /// How many attachments of each kind there are at it and beneath.
  private(set) final var effectCount = 0
  private(set) final var displayCount = 0
  /// Whether the slice has changed since its displays were last collected.
  private final var isMarked = false

  /// The state itself.
  init(stateAt address: UnsafeRawPointer) {
    parent = nil
    key = nil
    ownAddress = address
  }

  /// The whole of another node, for as long as a lifetime holds it.
  init(wholeOf parent: Node) {
    self.parent = parent
    key = nil
  }

  init(address: UnsafeRawPointer, key: SliceKey?, under parent: Node) {
    ownAddress = address
    self.key = key
    self.parent = parent
  }

  private final var address: UnsafeRawPointer {
    guard let address = ownAddress ?? parent?.address else {
      preconditionFailure("a node without a value of its own has a parent, which is never removed from it")
    }
    return address
  }

  var name: String { "\\.self" }
  /// The id of the part of the state whose node it is; `nil` for a slice that is no part or has no id.
  var partID: AnyHashable? { nil }
  /// The newest box; `nil` at the root, whose value is never kept.
  var erasedBox: AnyObject? { nil }
  var bytes: PartBytes? { nil }

  /// Brings the value up to date.
  ///
  /// - Returns: whether it has changed; the state itself is not compared, so it always may have.
  func refresh(_ replaced: ReplacedValues) -> Bool { true }

  /// The way to the slice from the state, as its key paths read.
  final var path: String {
    guard let parent, parent.parent != nil else { return name }
    return name.hasSuffix(".self") ? parent.path : "\(parent.path) \(name)"
  }

  // MARK: Children

  /// From this number of children on they are found by a table.
  private static let tableLimit = 8

  /// The child with this key.
  final func child(_ key: SliceKey) -> Node? {
    if !childrenByKey.isEmpty { return childrenByKey[key] }
    return children.first { $0.key == key }
  }

  final func add(child: Node, _ key: SliceKey) {
    child.indexAtParent = children.count
    children.append(child)
    probes.append(Probe(bytes: child.bytes))
    if !childrenByKey.isEmpty {
      childrenByKey[key] = child
    } else if children.count == Self.tableLimit {
      for child in children { if let key = child.key { childrenByKey[key] = child } }
    }
  }

  private final func remove(child: Node) {
    let index = child.indexAtParent
    if let key = child.key, !childrenByKey.isEmpty { childrenByKey[key] = nil }
    children.swapAt(index, children.count - 1)
    probes.swapAt(index, probes.count - 1)
    children.removeLast()
    probes.removeLast()
    if index < children.count { children[index].indexAtParent = index }
    child.parent = nil
  }

  /// Leaves the tree where nothing is connected at it or beneath it any more, and so on upwards.
  final func removeIfUnused() {
    guard effectCount == 0, displayCount == 0, let parent else { return }
    // A node that a lifetime holds is nobody's child, but may have been the last at its parent.
    if key != nil { parent.remove(child: self) }
    parent.removeIfUnused()
  }

  /// Tells the parent what has changed of what it knows.
  private final func updateProbe() {
    guard let parent, key != nil else { return }
    let index = indexAtParent
    parent.probes[index].hasEffects = effectCount > 0
    parent.probes[index].hasDisplays = displayCount > 0
    parent.probes[index].isMarked = isMarked
    parent.probes[index].bytes = bytes
  }

  // MARK: Attachments

  final func add(_ attachment: Attachment) {
    attachment.node = self
    switch attachment.role {
    case .effect: Self.add(attachment, to: &effects)
    case .display: Self.add(attachment, to: &displays)
    case .parts: Self.add(attachment, to: &keepers)
    case .witness: preconditionFailure("a witness is in no node")
    }
    count(attachment, by: 1)
  }

  final func remove(_ attachment: Attachment) {
    attachment.node = nil
    switch attachment.role {
    case .effect: Self.remove(attachment, from: &effects)
    case .display: Self.remove(attachment, from: &displays)
    case .parts: Self.remove(attachment, from: &keepers)
    case .witness: preconditionFailure("a witness is in no node")
    }
    count(attachment, by: -1)
    removeIfUnused()
  }

  private static func add(_ attachment: Attachment, to list: inout [Attachment]) {
    attachment.index = list.count
    list.append(attachment)
  }

  private static func remove(_ attachment: Attachment, from list: inout [Attachment]) {
    let index = attachment.index
    list.swapAt(index, list.count - 1)
    list.removeLast()
    if index < list.count { list[index].index = index }
  }

  private final func count(_ attachment: Attachment, by difference: Int) {
    var node: Node? = self
    while let ancestor = node {
      if attachment.isDisplay {
        ancestor.displayCount += difference
      } else {
        ancestor.effectCount += difference
      }
      if ancestor.displayCount == 0 { ancestor.isMarked = false }
      ancestor.updateProbe()
      node = ancestor.parent
    }
  }

  // MARK: Turning

  /// The value has changed and lies elsewhere now.
  final func valueMoved(to address: UnsafeRawPointer) {
    ownAddress = address
    wasChanged()
  }

  /// The value has changed: the displays are remembered as due.
  final func wasChanged() {
    if displayCount > 0 { isMarked = true }
    updateProbe()
  }

  /// After a turn: calls what watches the slice, which has changed and is up to date, then what watches its parts.
  ///
  /// Nothing is connected to the tree or removed from it meanwhile: that waits for the end of the serving.
  final func serveEffects(_ replaced: ReplacedValues) {
    // Parts first, so that nothing of a part that is gone is asked.
    for keeper in keepers { keeper.callIfConnected() }
    for effect in effects { effect.callIfConnected() }
    let address = address
    for index in probes.indices where probes[index].areEffectsDue(in: address) {
      children[index].serveEffectsIfChanged(replaced)
    }
  }

  private final func serveEffectsIfChanged(_ replaced: ReplacedValues) {
    if refresh(replaced) { serveEffects(replaced) }
  }

  /// After a batch: collects the displays of all slices that changed in it.
  final func collectDisplays(_ batch: inout DisplayBatch) {
    isMarked = false
    if let box = erasedBox, !displays.isEmpty {
      batch.slices.append(DisplayBatch.Slice(box: box, displays: displays))
    }
    for keeper in keepers { keeper.binding?.collectDisplays(&batch) }
    let address = address
    for index in probes.indices where probes[index].areDisplaysDue(in: address) {
      children[index].collectDisplaysIfChanged(&batch)
    }
  }

  /// Collects the displays if the slice has changed since this was last called.
  final func collectDisplaysIfChanged(_ batch: inout DisplayBatch) {
    // Where effects watch, the slice is up to date and has left its mark.
    let isRefreshed = effectCount == 0 && refresh(batch.replaced)
    guard isRefreshed || isMarked else { return }
    collectDisplays(&batch)
    updateProbe()
  }

  /// Calls `body` with every attachment at it and beneath.
  final func forEachAttachment(_ body: (Attachment) -> Void) {
    effects.forEach(body)
    displays.forEach(body)
    for keeper in keepers {
      body(keeper)
      keeper.binding?.forEachPart { $0.forEachAttachment(body) }
    }
    for child in children { child.forEachAttachment(body) }
  }

  // MARK: Saving

  /// Calls `body` with the node and every one beneath, those of parts included.
  final func forEachNode(_ body: (Node) -> Void) {
    body(self)
    for keeper in keepers { keeper.binding?.forEachPart { $0.forEachNode(body) } }
    for child in children { child.forEachNode(body) }
  }

  /// What puts back the links of the node as they are now: its place in the tree and what is connected at it.
  final func savedLinks() -> () -> Void {
    {
      [
        parent, indexAtParent, children, probes, childrenByKey, effects, displays, keepers, effectCount,
        displayCount
      ] in
      (self.parent, self.indexAtParent) = (parent, indexAtParent)
      (self.children, self.probes, self.childrenByKey) = (children, probes, childrenByKey)
      (self.effects, self.displays, self.keepers) = (effects, displays, keepers)
      (self.effectCount, self.displayCount) = (effectCount, displayCount)
    }
  }

  /// Refers to no other node and to nothing connected any more.
  final func forgetLinks() {
    parent = nil
    (children, probes, childrenByKey) = ([], [], [:])
    (effects, displays, keepers) = ([], [], [])
  }

  /// Puts back a value that the node had.
  func restore(box: AnyObject?) {}

  /// One of the attachments at it or beneath, parts left out; `nil` if there is none.
  final var anyAttachment: Attachment? {
    if let own = effects.last ?? displays.last ?? keepers.last { return own }
    for child in children.reversed() {
      if let found = child.anyAttachment { return found }
    }
    return nil
  }
}

extension Attachment {
  fileprivate func callIfConnected() {
    if phase == .connected, !scope.isOver { binding?.sliceChanged(self) }
  }
}
