import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import MillraceTrace

extension TestStore where Action: Decodable {
  /// Repeats what a recorded program did: sends its actions from outside, and makes the runs send the same actions and
  /// end in the same way.
  ///
  /// ```swift
  /// try store.play(Replay(of: path, reduce: Diary.reduce))
  /// store.send(.edited("one more")) { ($0.text, $0.hasFailed) = ("one more", false) }
  /// ```
  ///
  /// The test asserts nothing of what is played. It continues after the recording, with the same requests in progress.
  /// Moves of runs that are not in progress in this feature are left out, as the fence of a store does; `shrink(_:)` of
  /// an explorer reports them.
  ///
  /// - Parameter recording: a recording that begins with the state of this test store. The test fails if it begins with
  ///   another state, or if this store executes bodies.
  /// - Throws: `TraceFailure` if an action or the first state does not decode.
  public func play(
    _ recording: Replay<State, Action>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) throws(TraceFailure) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    if session.serving == .bodies {
      return fail(
        "A test store that serves by bodies cannot play a recording: the bodies would send once more.",
        at: place)
    }
    let (initialState, moves) = try recording.moves()
    if initialState != state {
      let difference = Difference(expected: state, actual: initialState)
      return fail("The recording begins with another state than the test store:\n\n\(difference)", at: place)
    }
    let explorer = Explorer(
      initialState: initialState, comparing: { _ in 0 }, reduce: session.reduce, connect: session.connect)
    play(explorer.steps(of: moves, from: initialState), at: place)
  }
}

extension TestStore {
  /// Makes moves of an explorer, without assertions.
  package func play(_ steps: [ExploredStep<Action>]) { play(steps, at: place) }

  private func play(_ steps: [ExploredStep<Action>], at place: TestPlace) {
    let exhaustivity = exhaustivity
    self.exhaustivity = .none
    for step in steps { play(step, at: place) }
    self.exhaustivity = exhaustivity
    let reached = state
    session.book.withLock { $0.assertAll(upTo: reached) }
  }

  private func play(_ step: ExploredStep<Action>, at place: TestPlace) {
    switch step {
    case .action(let action), .component(_, let action):
      send(
        action, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    case .outcome(let outcome):
      let (request, part) = (AnyHashable(outcome.request), outcome.parts.names.last)
      let selection = RunSelection(request, in: part, named: outcome.effect)
      // A fault may have stopped the run.
      let isInProgress = session.book.withLock { book in
        book.running.contains { AnyHashable($0.request) == request && $0.isOf(part, outcome.effect) }
      }
      if !isInProgress { return }
      if let failure = outcome.failure {
        serve(selection, [], .fails(failure), "fail", place, nil)
      } else {
        serve(selection, outcome.actions, outcome.continues ? .continues : .returns, "answer", place, nil)
      }
    // The store reduces actions of closures by itself.
    case .closure, .restart, .time: break
    }
  }
}
