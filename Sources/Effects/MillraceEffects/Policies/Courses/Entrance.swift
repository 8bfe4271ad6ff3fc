/// A gate that decides when each of several runs may begin, such as the slots of a limit. A value: equal entrances
/// behave equally.
package protocol Entrance: Hashable {
  /// The time until its answers change without an event; `nil` if they do not.
  var nextChange: Duration? { get }
  /// Whether the entrance is in its initial state.
  var isUnused: Bool { get }
  /// The time until a run may enter; `nil` if that depends on another run, which is inside.
  ///
  /// - Parameters:
  ///   - run: the identity of the run.
  ///   - inside: the number of runs that have entered and not left.
  func wait(of run: AnyHashable, _ cost: Int, inside: Int) -> Duration?
  /// Whether a run that enters never changes the waits of others.
  var letsInEach: Bool { get }
  /// Whether one of two waiting runs goes first, by their priorities and times of arrival.
  func precedes(_ one: (priority: Int, arrival: Int), _ other: (priority: Int, arrival: Int)) -> Bool
  /// A run arrives, and may have to wait.
  ///
  /// - Parameter quiet: the time for which its request has to stay the same.
  mutating func arrived(_ run: AnyHashable, quiet: Duration)
  /// A waiting run has gone.
  mutating func gaveUp(_ run: AnyHashable)
  /// A run enters.
  mutating func entered(_ run: AnyHashable, _ cost: Int)
  /// A run that had entered, and has stayed inside, leaves.
  mutating func left(_ run: AnyHashable, _ ending: RunEnding)
  /// Time passes.
  mutating func elapse(_ time: Duration)
  /// This entrance with other names of runs.
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

/// How a run behind an entrance has ended.
package enum RunEnding {
  /// The run has returned, or has thrown an error that does not count as a failure.
  case well
  case failed
  case stopped
}

/// A run leaves an entrance that it had entered.
package struct Exit {
  package var entry: Entry
  package let ending: RunEnding

  package init(_ entry: Entry, _ ending: RunEnding) { (self.entry, self.ending) = (entry, ending) }
}

/// The parameters of a run at an entrance.
package struct Entry {
  /// The object shared by effects whose runs use the same entrance.
  package let shared: AnyObject
  /// The number of policies around the one that has the entrance.
  package var depth = 0
  /// Distinguishes the entrances of one policy; `nil` for a policy with one entrance.
  package let key: EntranceName?
  /// The entrance in its initial state.
  package let entrance: any Entrance
  package let cost: Int
  /// The time for which the request has to stay the same before the run may enter.
  package let quiet: Duration
  /// The priority of the run. The highest goes first.
  package let priority: Int
  /// Whether the run is refused instead of having to wait.
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
