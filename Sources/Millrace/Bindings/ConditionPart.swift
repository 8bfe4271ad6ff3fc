/// Finds the whole itself, for as long as a condition of it holds.
final class ConditionPart<Whole: Sendable>: PartFinder {
  private let whole: any Watched<Whole>
  private let condition: @Sendable (borrowing Whole) -> Bool

  init(of whole: any Watched<Whole>, while condition: @escaping @Sendable (borrowing Whole) -> Bool) {
    self.whole = whole
    self.condition = condition
  }

  func makeNode(in lent: Lent<Whole>, under parent: Node) -> WatchedNode<Whole>? {
    guard lent.lend(condition) else { return nil }
    return WatchedNode(node: Node(wholeOf: parent), value: whole)
  }

  func refresh(
    _ place: WatchedNode<Whole>, in lent: Lent<Whole>, under _: Node
  ) -> PartChange<Whole> {
    guard lent.lend(condition) else { return .gone }
    // The slice is the whole, which its own node has compared already.
    place.node.wasChanged()
    return .changed
  }
}
