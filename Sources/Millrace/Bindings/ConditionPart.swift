/// Finds the whole itself, for as long as a condition of it holds.
final class ConditionPart<Whole: Sendable>: PartFinder {
  private let condition: @Sendable (borrowing Whole) -> Bool
  private var whole: (any Watched<Whole>)?

  init(while condition: @escaping @Sendable (borrowing Whole) -> Bool) { self.condition = condition }

  var memory: AnyObject? {
    get { nil }
    set {}
  }

  /// The value of its slice was found, in the turn in which it is connected.
  func watch(_ whole: any Watched<Whole>) { self.whole = whole }

  func makeNode(in lent: Lent<Whole>, under parent: Node, _: ReplacedValues) -> WatchedNode<Whole>? {
    guard let whole, lent.lend(condition) else { return nil }
    return WatchedNode(node: Node(wholeOf: parent), value: whole)
  }

  func refresh(
    _ place: WatchedNode<Whole>, in lent: Lent<Whole>, under _: Node, _: ReplacedValues
  ) -> PartChange<Whole> {
    guard lent.lend(condition) else { return .gone }
    // The slice is the whole, which its own node has compared already.
    place.node.wasChanged()
    return .changed
  }
}
