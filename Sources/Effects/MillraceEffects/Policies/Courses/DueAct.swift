/// Something that a run does by itself at a certain time.
package struct DueAct {
  package enum Kind {
    /// The run continues, usually by serving its request.
    case begins
    /// The run sends the actions and continues.
    case sends([any Sendable])
    /// The run sends the actions and returns.
    case answers([any Sendable])
    case fails(any Error)
    /// The wrapped effect has returned or thrown. The run sends the actions, and will serve its request again.
    case repeats([any Sendable], after: (any Error)?)
  }

  /// The time until the act.
  package let wait: Duration
  package let kind: Kind

  package init(after wait: Duration, _ kind: Kind) {
    self.wait = wait
    self.kind = kind
  }
}

extension DueAct.Kind {
  /// The end of a run that a policy answers: by an action, or by a failure.
  init(_ answer: Result<some Sendable, some Error>) {
    switch answer {
    case .success(let action): self = .answers([action])
    case .failure(let failure): self = .fails(failure)
    }
  }
}
