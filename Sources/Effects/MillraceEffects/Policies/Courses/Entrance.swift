/// Decides for several runs together when each begins, as the slots of a limit do: a value. Two that are equal do
/// the same.
package protocol Entrance: Hashable {
  /// The time until it lets in something else than now by itself; `nil` if it does not.
  var nextChange: Duration? { get }
  /// Whether it is as it was before anyone went in.
  var isUnused: Bool { get }
  /// How long it is until a run may go in; `nil` if that depends on another one, which is inside.
  ///
  /// - Parameters:
  ///   - run: what tells it from others.
  ///   - inside: how many have gone in and not left.
  func wait(of run: AnyHashable, _ cost: Int, inside: Int) -> Duration?
  /// Whether no run that goes in changes how long others wait.
  var letsInEach: Bool { get }
  /// Whether of two that wait one goes before the other, each with its priority and when it has come.
  func precedes(_ one: (priority: Int, arrival: Int), _ other: (priority: Int, arrival: Int)) -> Bool
  /// A run comes, and may have to wait.
  ///
  /// - Parameter quiet: how long its request has to stay the same.
  mutating func arrived(_ run: AnyHashable, quiet: Duration)
  /// A run has gone that waited.
  mutating func gaveUp(_ run: AnyHashable)
  /// A run goes in.
  mutating func entered(_ run: AnyHashable, _ cost: Int)
  /// A run that had gone in, and has stayed inside, leaves.
  mutating func left(_ run: AnyHashable, _ ending: RunEnding)
  /// Time passes.
  mutating func elapse(_ time: Duration)
  /// This with other names of runs.
  func renaming(_ name: (AnyHashable) -> AnyHashable) -> Self
}

extension Entrance {
  package var isUnused: Bool { nextChange == nil }
  package var letsInEach: Bool { false }
  package func precedes(
    _ one: (priority: Int, arrival: Int), _ other: (priority: Int, arrival: Int)
  ) -> Bool { false }
  package func arrived(_ run: AnyHashable, quiet: Duration) {}
  package func gaveUp(_ run: AnyHashable) {}
  package func left(_ run: AnyHashable, _ ending: RunEnding) {}
  package func renaming(_ name: (AnyHashable) -> AnyHashable) -> Self { self }
}

/// How the effect behind an entrance has ended.
package enum RunEnding {
  /// It has returned, or thrown what does not count as a failure.
  case well
  case failed
  case stopped
}

/// A run leaves an entrance behind which it was.
package struct Exit {
  package var entry: Entry
  package let ending: RunEnding

  package init(_ entry: Entry, _ ending: RunEnding) { (self.entry, self.ending) = (entry, ending) }
}

/// The way in which a run asks an entrance.
package struct Entry {
  /// The object that effects share if their runs go through one entrance.
  package let shared: AnyObject
  /// The number of policies around the policy that has the entrance.
  package var depth = 0
  /// Tells the entrances of one policy apart; `nil` for a policy with one entrance.
  package let key: EntranceName?
  /// The entrance before any run has come.
  package let entrance: any Entrance
  package let cost: Int
  /// How long the request has to stay the same before the run may go in.
  package let quiet: Duration
  /// Runs with the highest priority go first.
  package let priority: Int
  /// Whether it is refused where it would have to wait.
  package let isRefused: Bool

  package init(
    _ shared: AnyObject, key: EntranceName? = nil, _ entrance: any Entrance, cost: Int = 1,
    quiet: Duration = .zero, priority: Int = 0, isRefused: Bool = false
  ) {
    self.shared = shared
    self.key = key
    self.entrance = entrance
    self.cost = cost
    self.quiet = quiet
    self.priority = priority
    self.isRefused = isRefused
  }
}
