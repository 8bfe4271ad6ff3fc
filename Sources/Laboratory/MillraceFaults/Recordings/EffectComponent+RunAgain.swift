import Millrace
import MillraceTesting
import MillraceTrace

extension EffectComponent where Request: Decodable {
  /// Serves the request of a recorded run once more. Only this effect runs, and nothing that it sends is reduced.
  ///
  /// ```swift
  /// let outcome = try await Diary.Saving(disk: disk).outcome(ofRun: 1, in: path)
  /// #expect(outcome.sent == [.saved("edit 1")])
  /// ```
  ///
  /// Use it to see how a service answers today to a request that went wrong yesterday. The body does what it does in
  /// the program, so do not rerun a request that must not be repeated. The run is served with the newest value that was
  /// handed over to it. Redacted values stay as they are in the recording.
  ///
  /// - Parameters:
  ///   - run: the number of the run, as `millrace inspect` and `millrace why` show it: `#12`.
  ///   - path: the path of the recording.
  /// - Returns: the actions that the run sent, and how it ended. A run that waits for a test clock or a gate is
  ///   stopped.
  /// - Throws: `TraceFailure` if the file cannot be read, has no such run, or the run's request does not decode as one
  ///   of this effect.
  public func outcome(
    ofRun run: UInt64, in path: String
  ) async throws(TraceFailure) -> RunOutcome<Action, Failure> {
    let request = try TraceHistory(contentsOf: path).request(ofRun: run, as: Request.self)
    return await outcome(of: request)
  }
}
