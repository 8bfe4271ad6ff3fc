/// A way in which an exploration was incomplete. A report with a gap is not clean unless the explorer allows that gap
/// by ``Explorer/allowing(_:)``.
///
/// Experimental: the explorer may change with every version.
public enum ExplorationGap: Sendable, Hashable {
  /// The bound of depth was met.
  case depth
  /// The bound of the number of states was met.
  case states
  /// The bound of time was met.
  case time
  /// The calling task was cancelled.
  case cancellation
  /// The explorer found no move at all.
  case nothingToExplore
  /// The explorer has no property. For random walks: it has none of `always` or `never`.
  case nothingToCheck
  /// A request was in progress for which no outcomes are listed.
  case unlistedOutcomes
  /// Outcomes are listed for requests that were never in progress.
  case unusedOutcomes
  /// A bound left a property of `alwaysReachable` or `eventually` undecided: for some states, the
  /// answer depends on moves beyond the bound.
  case undecidedProperties
  /// A component or a view was connected, and the actions that it sends are not listed.
  case components
}
