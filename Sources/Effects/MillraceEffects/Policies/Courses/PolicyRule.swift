import Millrace

/// The decisions of a policy about a run. The policy's run performs them, and explorers step them. Pure.
protocol PolicyRule<Policy> {
  associatedtype Policy: PolicyEffect

  var policy: Policy { get }
  /// Identifies the policy's own progress, without the current wait or the run of the wrapped effect.
  var phase: [AnyHashable] { get }
  /// The initial model of a run of the effect that serves the request now.
  func course(of request: Policy.Request) -> any RunCourse
  /// The wait before the wrapped effect runs for the first time.
  func wait(before request: Policy.Request) -> Duration
  /// Whether that wait restarts with each value that is handed over.
  var waitsAnew: Bool { get }
  /// The entrance that the run must pass before the wrapped effect runs.
  func entry(for request: Policy.Request) -> Entry?
  /// Whether the run stays inside the entrance while the wrapped effect runs.
  var staysInside: Bool { get }
  /// How the wrapped effect has ended, as reported to the entrance.
  func ending(by failure: Policy.Failure?) -> RunEnding
  /// What the run does if it is refused; `nil` for nothing.
  ///
  /// - Parameter wait: the time that it would have to wait; `nil` if that depends on another run.
  func refusal(of request: Policy.Request, wait: Duration?) -> DueAct.Kind?
  /// The act that ends the run of the wrapped effect when its time is over; `nil` if there is no limit.
  func limit(of request: Policy.Request) -> DueAct?
  /// Time passes while the wrapped effect runs.
  mutating func elapse(_ time: Duration)
  /// The wrapped effect sends an action.
  mutating func sent()
  /// Whether the run never fails, even if the wrapped effect does.
  var neverFails: Bool { get }
  /// The wrapped effect has returned or thrown.
  ///
  /// - Returns: `nil` if the run ends in the same way.
  mutating func ended(_ failure: Policy.Failure?, of request: Policy.Request) -> Repetition<Policy.Action>?
}

/// What a run does after the wrapped effect has ended.
struct Repetition<Action: Sendable> {
  var actions: [Action] = []
  /// The wait before the wrapped effect runs again; `nil` if the run ends without a failure.
  let wait: Duration?
  /// The reason for the wait.
  var reason: @Sendable () -> String = { "" }
}

extension PolicyRule {
  var phase: [AnyHashable] { [] }
  func course(of request: Policy.Request) -> any RunCourse { policy.base.course(of: request) }
  func wait(before request: Policy.Request) -> Duration { .zero }
  var waitsAnew: Bool { false }
  func entry(for request: Policy.Request) -> Entry? { nil }
  var staysInside: Bool { false }
  func ending(by failure: Policy.Failure?) -> RunEnding { failure == nil ? .well : .failed }
  func refusal(of request: Policy.Request, wait: Duration?) -> DueAct.Kind? { nil }
  func limit(of request: Policy.Request) -> DueAct? { nil }
  func elapse(_ time: Duration) {}
  func sent() {}
  var neverFails: Bool { false }
  func ended(_ failure: Policy.Failure?, of request: Policy.Request) -> Repetition<Policy.Action>? { nil }
}
