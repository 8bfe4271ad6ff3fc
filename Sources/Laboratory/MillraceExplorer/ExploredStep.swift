/// One move of an exploration.
///
/// Experimental: the explorer may change with every version.
public enum ExploredStep<Action: Sendable>: Sendable {
  /// The user sends an action.
  case action(Action)
  /// A component or a view sends an action.
  case component(String, Action)
  /// A run in progress makes one of its outcomes.
  case outcome(ExploredOutcome)
  /// A `connect` function or the closure of a lifetime sends an action while it is called. The text is `"connect"` or
  /// the name of the lifetime's connection. This move comes before all others.
  case closure(String, Action)
  /// The program ends and begins again.
  case restart
  /// Time passes. Afterwards runs may begin that would have had to wait, such as those of a throttled effect.
  case time(Duration)
}

/// The outcome of a request in progress.
///
/// Experimental: the explorer may change with every version.
public struct ExploredOutcome: @unchecked Sendable {  // all `let`; the ids are parts of a Sendable state
  /// The name of the effect's connection.
  public let effect: String
  /// The request. If newer values were handed over to the run, the newest one that the run has taken.
  public let request: any Hashable & Sendable
  /// The ids of the parts of the state to which the effect belongs, outermost first.
  public let parts: [AnyHashable]
  /// The actions of the run, as the effect sends them.
  public let actions: [any Sendable]
  /// The error that the run throws, if any. If the run continues, the error after which a policy tries again.
  public let failure: (any Error)?
  /// Whether the run continues.
  public let continues: Bool
  /// The time that passes before the outcome, if the run acts by itself when its time has come.
  public let passed: Duration?
  /// Whether the run continues because a policy serves its request again.
  let isRepeated: Bool
  /// Whether the run ends without taking the newest value handed over to it. Another run then begins with that value.
  public let leavesValue: Bool
  /// The value that the run began with, and the newest one, whether or not the run has taken it.
  let (firstRequest, newestRequest): (any Hashable & Sendable, any Hashable & Sendable)

  /// Whether both are outcomes of one run, or of two runs that began with the same value.
  func isOfRun(of other: ExploredOutcome) -> Bool {
    effect == other.effect && parts == other.parts
      && AnyHashable(firstRequest) == AnyHashable(other.firstRequest)
  }
}
