import MillraceTestStore
import MillraceTrace

extension CrashAnywhere where Action: Decodable {
  /// Ends and restarts the program at each point of a recorded run. Calls `run` with a test that plays the recording.
  ///
  /// ```swift
  /// let recording = try Replay(of: path, reduce: Diary.reduce)
  /// let report = try await CrashAnywhere(
  ///   initialState: Diary.State(), reduce: Diary.reduce, connect: Diary.connect
  /// )
  /// .run(recording)
  /// #expect(report.isClean, "\(report)")
  /// ```
  ///
  /// - Parameter recording: a recording that begins with the initial state.
  /// - Throws: `TraceFailure` if an action or the first state does not decode.
  public func run(_ recording: Replay<State, Action>) async throws -> CrashReport {
    try await run { try await $0.playAlone(recording) }
  }
}

extension FaultMatrix where Action: Decodable {
  /// Tries the faults of the requests of a recorded run. Calls `run` with a test that plays the recording.
  ///
  /// - Parameter recording: a recording that begins with the initial state.
  /// - Throws: `TraceFailure` if an action or the first state does not decode.
  public func run(_ recording: Replay<State, Action>) async throws -> FaultReport {
    try await run { try await $0.playAlone(recording) }
  }
}

extension TestStore where Action: Decodable {
  /// Plays a recording without assertions.
  fileprivate func playAlone(_ recording: Replay<State, Action>) async throws {
    exhaustivity = .none
    try play(recording)
    await finish()
  }
}
