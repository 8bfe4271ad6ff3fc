/// One slice in the tree of watched slices. Used with the turn lock held.
///
/// A node exists while something is connected at it or beneath it. Where its slice did not change, nothing
/// beneath is looked at.
final class Node {
  struct Child {
    let node: Node
    var probe: Probe
  }

  // First what every change of the slice touches, so that it lies together.
  private(set) var children: [Child] = []
  /// The attachments that act once per drained batch.
  private(set) var displays: [any Attachment] = []
  /// Those of them that are told together.
  private var group: (any DisplayGroup)?
  let cache: any SliceCache
  /// How many of them there are at it and beneath.
  private(set) var displayCount = 0
  /// Whether the slice has changed since the displays were last served.
  private var isChanged = false
  /// Whether a lifetime holds it: then it is nobody's child, and stays while nothing is connected.
  private let isHeld: Bool
  /// The attachments that act after every action, and how many of them there are at it and beneath.
  private(set) var effects: [any Attachment] = []
  private(set) var effectCount = 0
  /// The attachments that make and end parts of the slice.
  private(set) var lifetimes: [any LifetimeAttachment] = []
  let parent: Node?
  private var childIndex = 0
  private var childrenByKey: [ProjectionKey: Node] = [:]

  init(cache: any SliceCache, parent: Node?, isHeld: Bool = false) {
    self.cache = cache
    self.parent = parent
    self.isHeld = isHeld
  }

  var value: UnsafeRawPointer { cache.value }

  // MARK: Finding

  /// The child whose slice is reached by `key`, brought up to date; made by `make` where there is none.
  func child(_ key: ProjectionKey, make: () -> any SliceCache) -> Node {
    if let child = childrenByKey[key] {
      if child.cache.refresh(from: value) {
        child.mark()
        child.updateProbe()
      }
      return child
    }
    let child = Node(cache: make(), parent: self)
    child.childIndex = children.count
    children.append(Child(node: child, probe: Probe(place: child.cache.place)))
    childrenByKey[key] = child
    return child
  }

  // MARK: Connecting

  func add(_ attachment: any Attachment) {
    if let lifetime = attachment as? any LifetimeAttachment {
      attachment.place.index = lifetimes.count
      lifetimes.append(lifetime)
    } else if let display = attachment as? any GroupedDisplay {
      group = display.join(group)
    } else if attachment.place.isDisplay {
      attachment.place.index = displays.count
      displays.append(attachment)
    } else {
      attachment.place.index = effects.count
      effects.append(attachment)
    }
    count(attachment, by: 1)
  }

  func remove(_ attachment: any Attachment) {
    if attachment is any LifetimeAttachment {
      let index = attachment.place.index
      lifetimes.swapAt(index, lifetimes.count - 1)
      lifetimes.removeLast()
      if index < lifetimes.count { lifetimes[index].place.index = index }
    } else if attachment is any GroupedDisplay {
      group?.remove(attachment)
      if group?.isEmpty ?? false { group = nil }
    } else if attachment.place.isDisplay {
      Self.remove(attachment, from: &displays)
    } else {
      Self.remove(attachment, from: &effects)
    }
    count(attachment, by: -1)
    removeIfUnused()
  }

  private static func remove(_ attachment: any Attachment, from list: inout [any Attachment]) {
    let index = attachment.place.index
    list.swapAt(index, list.count - 1)
    list.removeLast()
    if index < list.count { list[index].place.index = index }
  }

  private func count(_ attachment: any Attachment, by difference: Int) {
    var node: Node? = self
    while let ancestor = node {
      if attachment.place.isDisplay {
        ancestor.displayCount += difference
        if ancestor.displayCount == 0 { ancestor.isChanged = false }
      } else {
        ancestor.effectCount += difference
      }
      ancestor.updateProbe()
      node = ancestor.parent
    }
  }

  /// Tells the parent what has changed of what it knows.
  private func updateProbe() {
    guard let parent, !isHeld else { return }
    parent.children[childIndex].probe.hasEffects = effectCount > 0
    parent.children[childIndex].probe.hasDisplays = displayCount > 0
    parent.children[childIndex].probe.isMarked = isChanged
  }

  /// Leaves the tree where nothing is connected at it or beneath it any more, and so on upwards.
  func removeIfUnused() {
    var node = self
    while node.effectCount == 0, node.displayCount == 0, !node.isHeld, let parent = node.parent {
      parent.children.swapAt(node.childIndex, parent.children.count - 1)
      parent.children.removeLast()
      if node.childIndex < parent.children.count {
        parent.children[node.childIndex].node.childIndex = node.childIndex
      }
      parent.childrenByKey[node.cache.key] = nil
      node = parent
    }
  }

  // MARK: Turning

  /// The slice has changed, which is remembered for displays. One that is connected later gets the present value
  /// as it is connected.
  private func mark() {
    if displayCount > 0 { isChanged = true }
  }

  /// After an action: brings the slices under which effects watch up to date and tells those that changed.
  func serveEffects(_ engine: Engine, _ outcome: Outcome) {
    let value = value
    // First, so that nothing of a part that is gone is looked at.
    for lifetime in lifetimes where lifetime.place.phase == .connected {
      lifetime.wholeChanged(value, engine, outcome)
    }
    let children = children
    for index in children.indices where children[index].probe.areEffectsDue(in: value) {
      children[index].node.serveEffects(of: value, engine, outcome)
    }
  }

  /// The same, beginning with the slice itself: brings it up to date with the whole that it is a part of.
  func serveEffects(of whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    guard cache.refresh(from: whole) else { return }
    mark()
    // One may end another; what has ended ignores it.
    for effect in effects { effect.sliceChanged(value, engine, outcome) }
    serveEffects(engine, outcome)
  }

  /// After a batch: brings the other slices up to date and tells the displays of all that changed in the batch.
  func serveDisplays(_ engine: Engine, _ outcome: Outcome) {
    let value = value
    for lifetime in lifetimes { lifetime.serveDisplays(value, engine, outcome) }
    let children = children
    for index in children.indices where children[index].probe.areDisplaysDue(in: value) {
      children[index].node.serveDisplays(of: value, engine, outcome)
      if children[index].probe.isMarked { children[index].node.updateProbe() }
    }
  }

  /// The same, beginning with the slice itself.
  func serveDisplays(of whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    // Where effects watch, the slice is up to date and has left its mark.
    let isRefreshed = effectCount == 0 && cache.refresh(from: whole)
    guard isRefreshed || isChanged else { return }
    isChanged = false
    // One may end another; what has ended ignores it.
    for display in displays { display.sliceChanged(value, engine, outcome) }
    group?.sliceChanged(value, engine, outcome)
    serveDisplays(engine, outcome)
  }

  /// One of the attachments at it or beneath; `nil` if there is none.
  var anyAttachment: (any Attachment)? {
    effects.last ?? displays.last ?? group?.last ?? lifetimes.last ?? children.last?.node.anyAttachment
  }

  /// Calls `body` with every attachment at it and beneath.
  func forEachAttachment(_ body: (any Attachment) -> Void) {
    effects.forEach(body)
    displays.forEach(body)
    group?.forEach(body)
    for lifetime in lifetimes {
      body(lifetime)
      lifetime.forEachNode { $0.forEachAttachment(body) }
    }
    for child in children { child.node.forEachAttachment(body) }
  }
}

/// The root of the tree: the state itself, which is never compared.
final class StateCache: SliceCache {
  let value: UnsafeRawPointer
  init(_ state: UnsafeRawPointer) { value = state }
  let key = ProjectionKey.unique(ProjectionIdentity())
  var name: String { "\\.self" }
  var place: ComparedPlace? { nil }
  func refresh(from whole: UnsafeRawPointer) -> Bool { true }
}
