/// The reason why bytes were not written to the standard input of a subprocess.
@nonexhaustive public enum SubprocessInputFailure: Error, Hashable, Sendable {
  /// No process with that `id` and ``SubprocessInput/live`` input runs: it has not started, or has ended.
  case notRunning
  /// The input was closed, or the process closed it or ended, before the last `unwritten` bytes were accepted.
  case closed(unwritten: Int)
  /// The task was cancelled before anything was written.
  case cancelled
}
