/// Why something was not written to the standard input of a subprocess.
public enum SubprocessInputFailure: Error, Hashable, Sendable {
  /// No process of that `id` runs whose input is ``SubprocessInput/live``: it has not started, or has ended.
  case notRunning
  /// The input was closed, or the process has closed it or ended, before so many of the bytes were taken.
  case closed(unwritten: Int)
  /// The task was cancelled before anything was written.
  case cancelled
}
