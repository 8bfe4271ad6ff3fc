import Millrace
import MillraceExplorer
import MillraceTesting
import MillraceTrace

extension Explorer where Action: Decodable {
  /// Goes the way that a recorded program went, and shrinks it to a shortest test in Swift if it violates a property.
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
  /// The recording's actions from outside are the user's moves, and what its runs sent and came to are the outcomes: no
  /// lists of actions and outcomes are needed, and those that this explorer has do not count. No body is executed. Actions
  /// and outcomes are then left out as long as the rest violates the same property, one of `always` or `never`;
  /// properties of `alwaysReachable` and `eventually` are not checked. The shrunk way is one from which no move can be left out, not
  /// always the shortest there is, which `explore(depth:states:within:)` finds. Where requests are numbered, as saves by their
  /// generation and reads of a log by their position, no move before can be left out.
  ///
  /// Begins with the state that the recording begins with, or goes on with behind its last gap. Blocks the calling thread.
  ///
  /// A recording of an action that traps ends before that action, or shortly before, since lines are written by a queue of
  /// their own. So a trap is no violation that could be shrunk. State the condition under which the action traps as a
  /// property, and the way to such a state is shrunk: `.never("nothing is selected") { $0.rows[id: $0.selection] == nil }`.
  /// Where that condition is not known, an explorer that begins with the recording's `Replay.lastState()`
  /// and has a list of actions finds one that traps, and tells the story up to it.
  ///
  /// Experimental: the explorer may change with every version.
  ///
  /// - Parameter recording: the recording. Its reducer and its `connect` function are not called, but this explorer's.
  /// - Returns: a report, which is clean if no property was violated, and every move could be made.
  /// - Throws: `TraceFailure` if an action or the first state does not decode.
  /// - Complexity: O(*n* log *n*) moves as a rule, and O(*n*²) where hardly any can be left out, for *n* recorded moves.
  public func shrink(
    _ recording: Replay<State, Action>
  ) throws(TraceFailure) -> ShrunkRecording<State, Action> {
    let (state, moves) = try recording.moves()
    return shrink(moves, from: state)
  }
}
