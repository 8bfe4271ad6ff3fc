/// What lets one run after the other begin, such as the slots of a limit: a value. Two that are equal do the same.
package protocol Entrance: Hashable, Sendable {
  /// The time until it lets in something else than now by itself; `nil` if it does not.
  var nextChange: Duration? { get }
  /// How long it is until a run may go in; `nil` if that is when another one leaves.
  ///
  /// - Parameter inside: how many have gone in and not left.
  func wait(for cost: Int, inside: Int) -> Duration?
  /// Whether of two that wait one goes before the other, each with its priority and when it has come.
  func precedes(_ one: (priority: Int, arrival: Int), _ other: (priority: Int, arrival: Int)) -> Bool
  /// A run goes in.
  mutating func entered(_ cost: Int)
  /// Time passes.
  mutating func elapse(_ time: Duration)
}

/// What a run wants of an entrance.
package struct Entry {
  /// What the effects share whose runs go through it.
  package let shared: AnyObject
  /// How many policies the effect has around it.
  package var depth = 0
  /// The entrance before anyone went in.
  package let entrance: any Entrance
  package let cost: Int
  /// Those with the highest priority go first.
  package let priority: Int
  /// Whether it is refused where it would have to wait.
  package let isRefused: Bool

  package init(
    _ shared: AnyObject, _ entrance: any Entrance, cost: Int = 1, priority: Int = 0, isRefused: Bool = false
  ) {
    self.shared = shared
    self.entrance = entrance
    self.cost = cost
    self.priority = priority
    self.isRefused = isRefused
  }
}
