/// One slice in the tree of watched slices, with its last value. Used with the turn lock held.
///
/// A node exists while something is connected at it or beneath it. Where its slice did not change, nothing
/// beneath is looked at.
///
/// All of it lies in one piece of memory, since of a hundred thousand each touch of one more is one more trip to memory;
/// it is reached by pointer, since a stored property of a class is checked for exclusive access at every use.
class Node: ManagedBuffer<Node.Fields, UInt64> {
  struct Child {
    let node: Node
    var probe: Probe
  }

  struct Parts: OptionSet {
    let rawValue: UInt8
    static let children = Parts(rawValue: 1)
    static let group = Parts(rawValue: 2)
    static let lifetimes = Parts(rawValue: 4)
  }

  struct Fields {
    // First what every change of the slice touches, so that it lies together.
    /// The address of the last value.
    let value: UnsafeRawPointer
    /// How many attachments there are at it and beneath that act after every action, and that act once per drained batch.
    var effectCount: Int32 = 0
    var displayCount: Int32 = 0
    /// Whether the slice has changed since the displays were last served.
    var isChanged = false
    /// Whether a lifetime holds it: then it is nobody's child, and stays while nothing is connected.
    let isHeld: Bool
    /// Which of its parent's children it is.
    var childIndex: Int32 = 0
    /// What there is at it besides attachments.
    var parts: Parts = []
    /// The attachments that act once per drained batch.
    var displays = ShortList<any Attachment>()
    /// Where the slice lies in the value that it is a part of.
    let offset: Int
    var children = ShortList<Child>()
    /// The attachments that act once per drained batch and are told together.
    var group: (any DisplayGroup)?
    /// The attachments that make and end parts of the slice.
    var lifetimes: [any LifetimeAttachment] = []
    /// The attachments that act after every action.
    var effects = ShortList<any Attachment>()
    /// The children by their keys, once there are many.
    var childrenByKey: [ProjectionKey: Node] = [:]
    let parent: Node?
    /// How the slice is reached: a key path or a projection.
    let source: AnyObject?

    init(
      value: UnsafeMutableRawPointer, parent: Node?, isHeld: Bool = false, source: AnyObject? = nil,
      offset: Int = 0
    ) {
      self.value = UnsafeRawPointer(value)
      self.parent = parent
      self.isHeld = isHeld
      self.source = source
      self.offset = offset
    }
  }

  final var fields: UnsafeMutablePointer<Fields> {
    @inline(__always) get { withUnsafeMutablePointerToHeader { $0 } }
  }

  /// The memory behind the fields, for what the kinds of nodes differ in.
  final var tail: UnsafeMutableRawPointer {
    @inline(__always) get { withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) } }
  }

  // MARK: The slice

  /// How it is called in an activity list. Spelled out only when somebody asks.
  var name: String { preconditionFailure("a slice is of some kind") }
  var key: ProjectionKey { preconditionFailure("nobody looks for what is nobody's child") }
  /// Where it can be compared as it lies; `nil` if it has to be evaluated.
  var place: ComparedPlace? { nil }
  /// Compares the present value with the last one, keeps it if it differs, and tells whether it did.
  func refresh(from whole: UnsafeRawPointer) -> Bool { preconditionFailure("a slice is of some kind") }

  /// The address of the last value, if the slice is gone and its node keeps it.
  var lastIfGone: UnsafeRawPointer? { nil }

  final var value: UnsafeRawPointer { fields.pointee.value }
  final var children: ShortList<Child> { fields.pointee.children }
  final var effectCount: Int { Int(fields.pointee.effectCount) }
  final var displayCount: Int { Int(fields.pointee.displayCount) }

  // MARK: Finding

  /// From this number of children on they are found by a table.
  private static let tableLimit = 8

  /// The child whose slice is reached by `key`, brought up to date; made by `make` where there is none.
  final func child(_ key: ProjectionKey, make: () -> Node) -> Node {
    if let child = child(key) {
      if child.refresh(from: value) {
        child.mark()
        child.updateProbe()
      }
      return child
    }
    let child = make()
    child.fields.pointee.childIndex = Int32(fields.pointee.children.count)
    fields.pointee.children.append(Child(node: child, probe: Probe(place: child.place)))
    noteParts()
    if !fields.pointee.childrenByKey.isEmpty {
      fields.pointee.childrenByKey[key] = child
    } else if fields.pointee.children.count == Self.tableLimit {
      for child in children { fields.pointee.childrenByKey[child.node.key] = child.node }
    }
    return child
  }

  private func child(_ key: ProjectionKey) -> Node? {
    if !fields.pointee.childrenByKey.isEmpty { return fields.pointee.childrenByKey[key] }
    return children.first { $0.node.key == key }?.node
  }

  // MARK: Connecting

  final func add(_ attachment: any Attachment) {
    if let lifetime = attachment as? any LifetimeAttachment {
      attachment.place.index = fields.pointee.lifetimes.count
      fields.pointee.lifetimes.append(lifetime)
    } else if let display = attachment as? any GroupedDisplay {
      fields.pointee.group = display.join(fields.pointee.group)
    } else if attachment.place.isDisplay {
      attachment.place.index = fields.pointee.displays.count
      fields.pointee.displays.append(attachment)
    } else {
      attachment.place.index = fields.pointee.effects.count
      fields.pointee.effects.append(attachment)
    }
    count(attachment, by: 1)
    noteParts()
  }

  final func remove(_ attachment: any Attachment) {
    let index = attachment.place.index
    if attachment is any LifetimeAttachment {
      fields.pointee.lifetimes.swapAt(index, fields.pointee.lifetimes.count - 1)
      fields.pointee.lifetimes.removeLast()
      if index < fields.pointee.lifetimes.count { fields.pointee.lifetimes[index].place.index = index }
    } else if attachment is any GroupedDisplay {
      fields.pointee.group?.remove(attachment)
      if fields.pointee.group?.isEmpty ?? false { fields.pointee.group = nil }
    } else if attachment.place.isDisplay {
      fields.pointee.displays.removeBySwapping(at: index)?.place.index = index
    } else {
      fields.pointee.effects.removeBySwapping(at: index)?.place.index = index
    }
    count(attachment, by: -1)
    noteParts()
    removeIfUnused()
  }

  private func noteParts() {
    var parts: Parts = []
    if !fields.pointee.children.isEmpty { parts.insert(.children) }
    if fields.pointee.group != nil { parts.insert(.group) }
    if !fields.pointee.lifetimes.isEmpty { parts.insert(.lifetimes) }
    fields.pointee.parts = parts
  }

  private func count(_ attachment: any Attachment, by difference: Int32) {
    var node: Node? = self
    while let ancestor = node {
      let fields = ancestor.fields
      if attachment.place.isDisplay {
        fields.pointee.displayCount += difference
        if fields.pointee.displayCount == 0 { fields.pointee.isChanged = false }
      } else {
        fields.pointee.effectCount += difference
      }
      ancestor.updateProbe()
      node = fields.pointee.parent
    }
  }

  /// Tells the parent what has changed of what it knows.
  private func updateProbe() {
    guard let parent = fields.pointee.parent, !fields.pointee.isHeld else { return }
    let index = Int(fields.pointee.childIndex)
    parent.fields.pointee.children[index].probe.hasEffects = effectCount > 0
    parent.fields.pointee.children[index].probe.hasDisplays = displayCount > 0
    parent.fields.pointee.children[index].probe.isMarked = fields.pointee.isChanged
  }

  /// Leaves the tree where nothing is connected at it or beneath it any more, and so on upwards.
  final func removeIfUnused() {
    var node = self
    while node.effectCount == 0, node.displayCount == 0, !node.fields.pointee.isHeld,
      let parent = node.fields.pointee.parent
    {
      let index = node.fields.pointee.childIndex
      if !parent.fields.pointee.childrenByKey.isEmpty {
        parent.fields.pointee.childrenByKey[node.key] = nil
      }
      let moved = parent.fields.pointee.children.removeBySwapping(at: Int(index))
      moved?.node.fields.pointee.childIndex = index
      parent.noteParts()
      node = parent
    }
  }

  // MARK: Turning

  /// The slice has changed, which is remembered for displays. One that is connected later gets the present value
  /// as it is connected.
  final func mark() {
    if fields.pointee.displayCount > 0 { fields.pointee.isChanged = true }
  }

  /// After an action: brings the slices under which effects watch up to date and tells those that changed.
  final func serveEffects(_ engine: Engine, _ outcome: Outcome) {
    let parts = fields.pointee.parts
    // First, so that nothing of a part that is gone is looked at.
    if parts.contains(.lifetimes) {
      let lifetimes = fields.pointee.lifetimes
      for lifetime in lifetimes where lifetime.place.phase == .connected {
        lifetime.wholeChanged(value, engine, outcome)
      }
    }
    if parts.contains(.children) {
      let (value, children) = (value, children)
      for index in 0..<children.count where children[index].probe.areEffectsDue(in: value) {
        children[index].node.serveEffects(of: value, engine, outcome)
      }
    }
  }

  /// The same, beginning with the slice itself: brings it up to date with the whole that it is a part of.
  final func serveEffects(of whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    if refresh(from: whole) { sliceChanged(engine, outcome) }
  }

  /// The same, where the slice has changed and is up to date.
  final func sliceChanged(_ engine: Engine, _ outcome: Outcome) {
    mark()
    if fields.pointee.effectCount == 0 { return }
    // One may end another; what has ended ignores it.
    let effects = fields.pointee.effects
    for effect in effects { effect.sliceChanged(value, engine, outcome) }
    serveEffects(engine, outcome)
  }

  /// After a batch: brings the other slices up to date and tells the displays of all that changed in the batch.
  final func serveDisplays(_ engine: Engine, _ outcome: Outcome) {
    let parts = fields.pointee.parts
    if parts.contains(.lifetimes) {
      let lifetimes = fields.pointee.lifetimes
      for lifetime in lifetimes { lifetime.serveDisplays(value, engine, outcome) }
    }
    if parts.contains(.children) {
      let (value, children) = (value, children)
      for index in 0..<children.count where children[index].probe.areDisplaysDue(in: value) {
        children[index].node.serveDisplays(of: value, engine, outcome)
        if children[index].probe.isMarked { children[index].node.updateProbe() }
      }
    }
  }

  /// The same, beginning with the slice itself.
  final func serveDisplays(of whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    // Where effects watch, the slice is up to date and has left its mark.
    let isRefreshed = fields.pointee.effectCount == 0 && refresh(from: whole)
    guard isRefreshed || fields.pointee.isChanged else { return }
    fields.pointee.isChanged = false
    // One may end another; what has ended ignores it.
    let displays = fields.pointee.displays
    for display in displays { display.sliceChanged(value, engine, outcome) }
    if fields.pointee.parts.contains(.group) { fields.pointee.group?.sliceChanged(value, engine, outcome) }
    serveDisplays(engine, outcome)
  }

  // MARK: All that is connected

  /// One of the attachments at it or beneath; `nil` if there is none.
  final var anyAttachment: (any Attachment)? {
    fields.pointee.effects.last ?? fields.pointee.displays.last ?? fields.pointee.group?.last
      ?? fields.pointee.lifetimes.last ?? children.last?.node.anyAttachment
  }

  /// Calls `body` with every attachment at it and beneath.
  final func forEachAttachment(_ body: (any Attachment) -> Void) {
    fields.pointee.effects.forEach(body)
    fields.pointee.displays.forEach(body)
    fields.pointee.group?.forEach(body)
    for lifetime in fields.pointee.lifetimes {
      body(lifetime)
      lifetime.forEachNode { $0.forEachAttachment(body) }
    }
    for child in children { child.node.forEachAttachment(body) }
  }
}
