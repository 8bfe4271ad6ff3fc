/// Something that a run does by itself when its time has come.
package struct DueAct<Action: Sendable, Failure: Error> {
  package enum Kind {
    /// The request begins to be served: before, it cannot be answered.
    case begins
    /// The run sends the actions and goes on.
    case sends([Action])
    /// The run sends the actions and returns.
    case answers([Action])
    case fails(Failure)
  }

  /// The time since the run began or last acted.
  package let wait: Duration
  package let kind: Kind

  package init(after wait: Duration, _ kind: Kind) {
    self.wait = wait
    self.kind = kind
  }
}
