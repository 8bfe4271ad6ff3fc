/// Finds a part that exists while an optional slice is present.
final class PresentPart<Whole: Sendable, Part: Equatable & Sendable>: PartFinder {
  private let optional: Projection<Whole, Part?>
  private let isSame: (Part, Part) -> Bool
  /// The slice as it was last looked at, so that one that has not changed is seen without unwrapping it.
  private var last: Box<Part?>?

  /// - Parameter isSame: whether a value that replaces another goes on with its lifetime.
  init(_ optional: Projection<Whole, Part?>, isSame: @escaping (Part, Part) -> Bool) {
    self.optional = optional
    self.isSame = isSame
  }

  func makeNode(in whole: Lent<Whole>, under parent: Node) -> WatchedNode<Part>? {
    _ = look(at: whole, parent.released)
    return presentNode(under: parent)
  }

  func refresh(_ place: WatchedNode<Part>, in whole: Lent<Whole>, under parent: Node) -> PartChange<Part> {
    guard look(at: whole, parent.released) else { return .unchanged }
    guard let part = last?.value, let node = place.node as? SliceNode<Part> else { return .gone }
    if !node.lent.lend({ isSame($0, part) }) { return .replaced(by: presentNode(under: parent)) }
    node.take(Box(part))
    return .changed
  }

  /// - Returns: whether the slice has changed since it was last looked at.
  private func look(at whole: Lent<Whole>, _ released: ReleasedValues) -> Bool {
    guard let last else {
      last = optional.box(in: whole)
      return true
    }
    guard let box = optional.newBox(in: whole, last: last) else { return false }
    released.append(last)
    self.last = box
    return true
  }

  /// A node of the part that was there when the slice was last looked at.
  private func presentNode(under parent: Node) -> WatchedNode<Part>? {
    guard let part = last?.value else { return nil }
    let node = SliceNode("present", holding: Box(part), under: parent)
    return WatchedNode(node: node, value: node)
  }
}
