import Millrace

/// One move of an exploration.
///
/// Experimental: the explorer may change with every version.
public enum ExploredStep<Action: Sendable>: Sendable {
  /// The user sends an action.
  case action(Action)
  /// A component or a view sends an action.
  case component(String, Action)
  /// A request in progress comes to one of its outcomes.
  case outcome(ExploredOutcome)
  /// A `connect` function or the closure of a lifetime sends an action while it is called: `"connect"`, or the name of the
  /// lifetime's connection. Nothing else happens before.
  case closure(String, Action)
  /// The program ends and begins again.
  case restart
  /// Time passes, after which runs may begin that would have had to wait, as those of a throttled effect.
  case time(Duration)
}

/// The outcome of a request in progress.
///
/// Experimental: the explorer may change with every version.
public struct ExploredOutcome: @unchecked Sendable {  // all `let`; the ids are parts of a Sendable state
  /// The name of the effect's connection.
  public let effect: String
  /// The request: the newest value that the run has taken, where others were handed over to it.
  public let request: any Hashable & Sendable
  /// The ids of the parts of the state to which the effect belongs, outermost first.
  public let parts: [AnyHashable]
  /// The actions of the run, as the effect sends them.
  public let actions: [any Sendable]
  /// The error that the run throws, if it does; if the run goes on, the error after which it is tried again.
  public let failure: (any Error)?
  /// Whether the run goes on.
  public let continues: Bool
  /// The time that passes before, where the run acts by itself because its time has come.
  public let passed: Duration?
  /// Whether the run goes on because a policy is going to serve its request again.
  let isRepeated: Bool
  /// Whether the run ends and has left the newest value that was handed over to it, with which another one begins.
  public let leavesValue: Bool
  /// The value that the run began with, and the newest one, taken or not.
  let (firstRequest, newestRequest): (any Hashable & Sendable, any Hashable & Sendable)

  /// Whether the other is an outcome of this one's run, or of one that began with the same value.
  func isOfRun(of other: ExploredOutcome) -> Bool {
    effect == other.effect && parts == other.parts
      && AnyHashable(firstRequest) == AnyHashable(other.firstRequest)
  }
}
