/// The node of a slice that is compared and kept.
final class SliceNode<Value: Equatable & Sendable>: Node {
  private(set) var box: Box<Value>
  /// Returns the slice's current value in a new box; `nil` if it equals the value in `last`.
  private let renewed: (_ whole: Node, _ last: Box<Value>) -> Box<Value>?
  /// The offset of the slice in the parent's value; `nil` if it is computed.
  private let offset: Int?

  /// Makes a child of `parent`, which has the whole as its value.
  init<Whole>(_ projection: Projection<Whole, Value>, under parent: Node) {
    box = projection.box(in: parent.borrowed(as: Whole.self))
    renewed = { whole, last in projection.newBox(in: whole.borrowed(as: Whole.self), last: last) }
    offset = projection.offset
    super.init(address: box.borrowed.address, key: projection.key, under: parent)
    parent.add(child: self, projection.key)
  }

  override var step: SlicePath.Step { key.map { .slice(SliceName(key: $0, type: Value.self)) } ?? .whole }
  override var erasedBox: AnyObject? { box }
  override var bytes: PartBytes? { offset.map { PartBytes(at: $0, last: box.borrowed) } }

  override func refresh() -> Bool {
    guard let parent, let box = renewed(parent, box) else { return false }
    let old = self.box
    self.box = box
    valueMoved(to: box.borrowed.address)
    released.append(old)
    return true
  }
}

extension Node {
  /// Returns the node of a part of the value, with its current value. Makes the node if there is none.
  func child<Whole, Part: Equatable & Sendable>(_ projection: Projection<Whole, Part>) -> SliceNode<Part> {
    guard let child = child(projection.key) as? SliceNode<Part> else {
      return SliceNode(projection, under: self)
    }
    // Displays that are already connected get the change with the next batch, since the node is marked.
    if child.refresh() { child.updateProbe() }
    return child
  }
}
