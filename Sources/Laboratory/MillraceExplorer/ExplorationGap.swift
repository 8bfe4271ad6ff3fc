/// A way in which an exploration was not complete. A report with a gap is not clean unless the explorer is
/// ``Explorer/allowing(_:)`` it.
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
  /// There was no move at all.
  case nothingToExplore
  /// The explorer has no property, or for random walks none that holds `always` or `never`.
  case nothingToCheck
  /// A request was in progress of which no outcomes are listed.
  case unlistedOutcomes
  /// Outcomes are listed of requests that were never in progress.
  case unusedOutcomes
  /// A bound was met, and for some states only moves beyond it tell whether a property of `alwaysReachable` or
  /// `eventually` holds.
  case undecidedProperties
  /// A component or a view was connected of which it is not listed what it sends.
  case components
}
