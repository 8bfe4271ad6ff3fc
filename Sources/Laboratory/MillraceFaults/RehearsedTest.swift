import Millrace
import MillraceSpelling
import MillraceTestStore
import Testing

/// A run of a test for ``FaultMatrix`` or ``CrashAnywhere``: either the test as it is, which shows what can go wrong,
/// or a rerun in which something does.
final class RehearsedTest<State: Equatable & Sendable, Action: Sendable>: Rehearsal {
  typealias Session = TestSession<State, Action>

  /// The difference between this run and the test itself; `nil` if there is none.
  let rerun: Rerun?
  let persisting: @Sendable (State) throws -> State
  private let invariants: [TestInvariant<State>]
  /// The actions and faults so far, in words, and the invariants that did not hold.
  let story = Lock(TestStory())
  /// The requests that the test has answered.
  let answered = Lock(AnsweredRequests())
  /// The runs that a fault has struck, by their numbers.
  let struck = Lock<Set<UInt64>>([])
  /// The answers that are sent when their run is stopped, by the number of the run.
  let late = Lock<[UInt64: [(HeldRun, RunAnswer)]]>([:])
  /// The points at which the program can end, and the result of the point at which it did.
  let trial = Lock(CrashTrial<State>())
  /// The work of the test so far, and the endless loop of a rerun, in words.
  let bound: Lock<(bound: RerunBound, loop: String?)>

  init(
    _ rerun: Rerun?, invariants: [TestInvariant<State>] = [],
    persisting: @escaping @Sendable (State) throws -> State = { $0 }
  ) {
    (self.rerun, self.invariants, self.persisting) = (rerun, invariants, persisting)
    bound = Lock((rerun?.bound ?? RerunBound(), nil))
  }

  /// Runs a test whose own expectations do not count.
  ///
  /// - Parameter session: a session whose rehearsal is this object.
  /// - Returns: the state at the end.
  @discardableResult
  func run(
    _ session: TestSession<State, Action>, _ test: (TestStore<State, Action>) async throws -> Void,
    at place: TestPlace
  ) async -> State {
    _ = await FailureCapture.failures {
      let store = TestStore(session: session, place: place)
      if Test.current == nil {
        try? await test(store)
      } else {
        await withKnownIssue("a rerun of the test", isIntermittent: true) { try await test(store) }
      }
      ends(in: session)  // the test may have thrown before its end
      session.book.withLock { $0.isFinished = true }
    }
    return session.store.state
  }

  // MARK: Events of the test

  var isRerun: Bool { rerun != nil }

  func begins(_ step: String, at place: TestPlace, in session: Session) {
    did(RerunBound.step, "\(step) at \(place)", in: session)
  }

  func looks(in session: Session) -> Bool {
    did(1, "a look at what is in progress", in: session)
    return !isEndless
  }

  /// Whether the test makes more steps than a rerun may. The faults then no longer strike, and the test sees no request
  /// in progress.
  var isEndless: Bool { bound.withLock { $0.bound.isExceeded } }

  private func did(_ work: Int, _ name: String, in session: Session) {
    let (isExceeded, isHopeless) = bound.withLock { ($0.bound.did(work), $0.bound.isHopeless) }
    guard isExceeded || isHopeless else { return }
    let running = session.book.withLock { $0.running.prefix(3).map(\.text) }
    let loop = """
      does not end: it goes on with \(name), \
      in progress: \(running.isEmpty ? "nothing" : running.joined(separator: "; "))
      """
    if isHopeless {
      fatalError("A rerun of the test of \(session.origin) \(loop)")  // nothing else ends the test's loop
    }
    bound.withLock { $0.loop = loop }
  }

  func reduced(_ action: Action, from sender: String?, to state: State) {
    story.withLock { $0.tell(Spelling.abridged(action) + (sender.map { " from \($0)" } ?? "")) }
    for invariant in invariants where !invariant.holds(state) {
      story.withLock { $0.broke(invariant.name) }
    }
  }

  /// Adds something other than an action to the story.
  func tell(_ text: String) { story.withLock { $0.tell(text) } }
}
