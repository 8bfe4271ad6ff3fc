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
    let box = optional.box(in: whole)
    last = box
    guard let part = Self.part(in: box) else { return nil }
    let node = SliceNode("present", holding: Box(part), under: parent)
    return WatchedNode(node: node, value: node)
  }

  func refresh(_ place: WatchedNode<Part>, in whole: Lent<Whole>, _ replaced: ReplacedValues) -> PartChange {
    guard let last, let node = place.node as? SliceNode<Part> else { return .gone }
    guard let box = optional.newBox(in: whole, last: last) else { return .unchanged }
    replaced.append(last)
    self.last = box
    guard let part = Self.part(in: box) else { return .gone }
    if !node.lent.lend({ isSame($0, part) }) { return .replaced }
    node.take(Box(part), replaced)
    return .changed
  }

  private static func part(in box: Box<Part?>) -> Part? { box.value }
}
