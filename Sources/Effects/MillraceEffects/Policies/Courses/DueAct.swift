/// Something that a run does by itself when its time has come.
package struct DueAct {
  package enum Kind {
    /// The run goes on, mostly to serve its request.
    case begins
    /// The run sends the actions and goes on.
    case sends([any Sendable])
    /// The run sends the actions and returns.
    case answers([any Sendable])
    case fails(any Error)
    /// The effect within has returned or thrown; the run sends the actions, and is going to serve its request again.
    case repeats([any Sendable], after: (any Error)?)
  }

  /// The time until then.
  package let wait: Duration
  package let kind: Kind

  package init(after wait: Duration, _ kind: Kind) {
    self.wait = wait
    self.kind = kind
  }
}
