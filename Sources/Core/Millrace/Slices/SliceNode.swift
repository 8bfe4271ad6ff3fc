/// A value that can be read in place: the state itself, or a slice that a node keeps.
///
/// Used with the turn lock held.
protocol Watched<Value>: AnyObject {
  associatedtype Value
  var borrowed: Borrowed<Value> { get }
}

extension StatePlace: Watched {
  typealias Value = State
}

/// A node with its value.
struct WatchedNode<Value> {
  let node: Node
  let value: any Watched<Value>

  /// Returns the node of a part of the value, with its current value. Makes the node if there is none.
  func child<Part: Equatable & Sendable>(_ projection: Projection<Value, Part>) -> SliceNode<Part> {
    guard let child = node.child(projection.key) as? SliceNode<Part> else {
      return SliceNode(projection, of: value, under: node)
    }
    // Displays that are already connected get the change with the next batch, since the node is marked.
    if child.refresh() { child.updateProbe() }
    return child
  }
}

/// The node of a slice that is compared and kept.
final class SliceNode<Value: Equatable & Sendable>: Node, Watched {
  private(set) var box: Box<Value>
  /// Returns the slice's current value in a new box; `nil` if it equals the value in `last`.
  private let renewed: (_ last: Box<Value>) -> Box<Value>?
  private let named: any Named
  /// The offset of the slice in the parent's value; `nil` if it is computed.
  private let offset: Int?

  /// Makes a child of `parent`.
  init<Whole>(_ projection: Projection<Whole, Value>, of whole: any Watched<Whole>, under parent: Node) {
    box = projection.box(in: whole.borrowed)
    renewed = { last in projection.newBox(in: whole.borrowed, last: last) }
    named = projection
    offset = projection.offset
    super.init(address: box.borrowed.address, key: projection.key, under: parent)
    parent.add(child: self, projection.key)
  }

  var borrowed: Borrowed<Value> { box.borrowed }
  override var step: SlicePath.Step { .slice(named.name) }
  override var erasedBox: AnyObject? { box }
  override var bytes: PartBytes? { offset.map { PartBytes(at: $0, last: box.borrowed) } }

  override func refresh() -> Bool {
    guard let box = renewed(box) else { return false }
    let old = self.box
    self.box = box
    valueMoved(to: box.borrowed.address)
    released.append(old)
    return true
  }
}
