import Millrace

/// The effect of a policy on a run of the effect within, which the policy's run performs and a test explores. Pure.
protocol PolicyRule<Policy> {
  associatedtype Policy: PolicyEffect

  var policy: Policy { get }
  /// Tells how far the policy is, beside the wait or the run of the effect within that is in progress.
  var phase: [AnyHashable] { get }
  /// A run, at its beginning, of the effect that serves the request now.
  func course(of request: Policy.Request) -> any RunCourse
  /// The wait before the effect within is run for the first time.
  func wait(before request: Policy.Request) -> Duration
  /// Whether that wait begins anew with each value that is handed over.
  var waitsAnew: Bool { get }
  /// The entrance through which the run goes before the effect within is run.
  func entry(for request: Policy.Request) -> Entry?
  /// Whether the run stays behind the entrance while the effect within is run.
  var staysInside: Bool { get }
  /// How the effect within has ended, for the entrance behind which it was.
  func ending(by failure: Policy.Failure?) -> RunEnding
  /// The act of the run if it is not let through; `nil` if nothing.
  ///
  /// - Parameter wait: how long it would have to wait; `nil` if that depends on another run.
  func refusal(of request: Policy.Request, wait: Duration?) -> DueAct.Kind?
  /// Ends the run of the effect within when its time is up.
  func limit(of request: Policy.Request) -> DueAct?
  /// Time passes while the effect within is run.
  mutating func elapse(_ time: Duration)
  /// The effect within sends something.
  mutating func sent()
  /// Whether a failure of the effect within never is one of the run.
  var neverFails: Bool { get }
  /// The effect within has returned or thrown.
  ///
  /// - Returns: `nil` if the run ends in the same way.
  mutating func ended(_ failure: Policy.Failure?, of request: Policy.Request) -> Repetition<Policy.Action>?
}

/// What a run does once the effect within has ended.
struct Repetition<Action: Sendable> {
  var actions: [Action] = []
  /// How long it waits before the effect within is run again; `nil` if the run ends without a failure.
  let wait: Duration?
  /// What it waits for.
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
