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
  /// The order of waiting runs; `nil` if none goes first.
  var order: SlotOrder? { get }
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
  package var order: SlotOrder? { nil }
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
  /// The run was stopped before its outcome was known.
  case stopped
}

/// A run leaves an entrance that it had entered.
package struct Exit {
  package let entry: Entry
  package let ending: RunEnding
}

/// The parameters of a run at an entrance.
package struct Entry {
  /// The object shared by effects whose runs use the same entrance.
  package let shared: AnyObject
  /// The number of policies around the one that has the entrance.
  package var depth = 0
  /// Distinguishes the entrances of one policy; `nil` for a policy with one entrance.
  package var key: EntranceName?
  /// The entrance in its initial state.
  package let entrance: any Entrance
  package var cost = 1
  /// The time for which the request has to stay the same before the run may enter.
  package var quiet = Duration.zero
  /// The priority of the run. The highest goes first.
  package var priority = 0
  /// Whether the run is refused instead of having to wait.
  package var isRefused = false
}
