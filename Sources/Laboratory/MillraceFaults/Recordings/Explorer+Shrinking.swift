import MillraceExplorer
import MillraceTrace

extension Explorer where Action: Decodable {
  /// Repeats the moves of a recorded program. If they violate a property, shrinks them to a short test in Swift.
  ///
  /// ```swift
  /// let shrunk = try Explorer(initialState: Diary.State(), reduce: Diary.reduce, connect: Diary.connect)
  ///   .always("what is shown is saved or being saved") { state, running in
  ///     state.text == state.saved || !running.isEmpty
  ///   }
  ///   .shrink(Replay(of: "trace.jsonl", reduce: Diary.reduce))
  /// #expect(shrunk.isClean, "\(shrunk)")
  /// ```
  ///
  /// The recording replaces the lists of actions and outcomes: its actions from outside are the user's moves, and the
  /// actions and ends of its runs are the outcomes. Lists of this explorer do not count, and no body is executed.
  ///
  /// Moves are then left out as long as the rest violates the same property, one of `always` or `never`. Properties of
  /// `alwaysReachable` and `eventually` are not checked. No further move can be left out of the result, but it need not
  /// be the shortest path; `explore(depth:states:within:)` finds that. If requests are numbered, such as saves by a
  /// generation or reads of a log by a position, no earlier move can be left out.
  ///
  /// Begins with the state at the beginning of the recording, or with the first one after its last gap. Blocks the
  /// calling thread.
  ///
  /// A recording of an action that traps ends before that action, or shortly before, since another queue writes the
  /// lines. So a trap is no violation that could be shrunk. Instead state the condition under which the action traps as
  /// a property: `.never("nothing is selected") { $0.rows[id: $0.selection] == nil }`. If that condition is unknown,
  /// explore from the recording's `Replay.lastState()` with a list of actions: the explorer finds one that traps, and
  /// writes the story up to it.
  ///
  /// Experimental: the explorer may change with every version.
  ///
  /// - Parameter recording: the recording. Its own reducer and `connect` function are not called; those of this
  ///   explorer are.
  /// - Returns: a report, which is clean if no property was violated and every move could be made.
  /// - Throws: `TraceFailure` if an action or the first state does not decode.
  /// - Complexity: O(*n* log *n*) moves for *n* recorded moves as a rule; O(*n*²) if hardly any can be left out.
  public func shrink(
    _ recording: Replay<State, Action>
  ) throws(TraceFailure) -> ShrunkRecording<State, Action> {
    let (state, moves) = try recording.moves()
    return shrink(moves, from: state)
  }
}
