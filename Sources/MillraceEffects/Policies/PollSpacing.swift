/// What the interval between the runs of a polled request is counted from.
public enum PollSpacing: Hashable, Sendable {
  /// From the end of a run to the beginning of the next: a pause of that length, however long runs take.
  case fixedDelay
  /// Runs begin at multiples of the interval from the beginning of the first, without drift. Those whose time passes
  /// while a run goes on are left out; runs never overlap.
  case fixedRate
}
