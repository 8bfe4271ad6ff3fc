/// How the interval between the runs of a polled request is measured.
public enum PollMode: Hashable, Sendable {
  /// The time from the end of a run to the beginning of the next one, however long runs take.
  case fixedDelay
  /// Runs begin at multiples of the interval after the beginning of the first, without drift. A run that is due while
  /// another one is in progress is skipped; runs never overlap.
  case fixedRate
}
