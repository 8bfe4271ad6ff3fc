import Millrace

/// Records the steps of a test, or changes their effects. A ``TestSession`` calls it at each step. `FaultMatrix` and
/// `CrashAnywhere` rerun a test with a rehearsal that makes a request fail or ends the program.
package protocol Rehearsal<State, Action>: AnyObject, Sendable {
  associatedtype State: Equatable & Sendable
  associatedtype Action: Sendable
  typealias Session = TestSession<State, Action>

  /// Whether this run of the test is a rerun.
  var isRerun: Bool { get }
  /// The test makes a step.
  func begins(_ step: String, at place: TestPlace, in session: Session)
  /// The test's step has sent, answered or received.
  func stepEnded(in session: Session)
  /// The test looks at the requests in progress.
  ///
  /// - Returns: `false` if the test must not see any.
  func looks(in session: Session) -> Bool
  /// An action was reduced. Called by the reducer.
  ///
  /// - Parameter sender: the run that has sent the action, in words; `nil` if the test or a component sent it.
  func reduced(_ action: Action, from sender: String?, to state: State)
  /// A run has begun with a request, or another request was handed over to it.
  func asked(_ request: any Hashable & Sendable, of run: HeldRun, in session: Session)
  /// The test answers a run. Implementations call ``TestSession/send(_:from:at:)`` and ``TestSession/end(_:of:)``.
  ///
  /// - Returns: the reason why the answer could not be given, in words; `nil` if it was.
  func give(_ answer: RunAnswer, to run: HeldRun, in session: Session) -> String?
  /// The test executes the body of a run.
  func executes(_ run: HeldRun)
  /// A run was stopped, and is going to return.
  func stopped(_ run: HeldRun)
  /// The test ends.
  func ends(in session: Session)
}

/// The answer of a test for a run: its actions, and whether the run continues or ends.
package struct RunAnswer: Sendable {
  package let actions: [any Sendable]
  package let end: RunEnd
  package let site: CallSite

  package init(actions: [any Sendable], end: RunEnd, site: CallSite) {
    (self.actions, self.end, self.site) = (actions, end, site)
  }
}

/// What a run does after it has sent the actions.
package enum RunEnd: Sendable {
  case continues
  case returns
  case fails(any Error)
}
