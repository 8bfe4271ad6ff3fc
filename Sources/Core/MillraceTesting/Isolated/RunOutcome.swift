import MillraceSpelling

/// The actions that one run of an effect has sent, and whether it has ended. Compare it, or print it.
///
/// ```swift
/// let outcome = await effect.outcome(of: "Bergen")
/// #expect(outcome == RunOutcome(sent: [.forecastArrived("rain")]))
/// ```
public struct RunOutcome<Action: Sendable, Failure: Error>: Sendable {
  /// The progress of a run.
  public enum End: Sendable {
    /// The run has returned.
    case returned
    /// The run has thrown.
    case failed(Failure)
    /// The run waits for something that only the test brings about: a test clock, a gate, or another value of its
    /// request.
    case waiting
    /// The run was stopped, and has returned.
    case stopped
    /// The run is at work.
    case running
  }

  /// The actions that the run has sent and that a store would have reduced, in order.
  public var sent: [Action]
  /// The progress of the run.
  public var end: End

  /// Makes an outcome to compare with: that of a run that has sent `sent` and returned, unless `end` says otherwise.
  public init(sent: [Action] = [], end: End = .returned) { (self.sent, self.end) = (sent, end) }

  /// The error that the run has thrown, if any.
  public var failure: Failure? { if case .failed(let failure) = end { failure } else { nil } }
}

extension RunOutcome: Equatable where Action: Equatable, Failure: Equatable {}
extension RunOutcome.End: Equatable where Failure: Equatable {}

extension RunOutcome: CustomStringConvertible {
  /// One line for each action, and one for the end.
  public var description: String {
    let last =
      switch end {
      case .returned: "returned"
      case .failed(let failure): "failed with \(Spelling.text(of: failure))"
      case .waiting: "waits"
      case .stopped: "stopped"
      case .running: "runs"
      }
    return (sent.map { "sent \(Spelling.text(of: $0))" } + [last]).joined(separator: "\n")
  }
}
