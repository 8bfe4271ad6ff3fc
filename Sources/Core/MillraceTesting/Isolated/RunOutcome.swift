import Millrace
import MillraceSpelling

/// The actions that one run of an effect has sent, and its progress. Compare it, or print it to read it.
///
/// ```swift
/// let outcome = await effect.outcome(of: "Bergen")
/// #expect(outcome == RunOutcome(sent: [.forecastArrived("rain")]))
/// ```
public struct RunOutcome<Action: Sendable, Failure: Error>: Sendable {
  /// How far a run is.
  public enum End: Sendable {
    /// It has returned.
    case returned
    /// It has thrown.
    case failed(Failure)
    /// It waits for what only a test brings about: a test clock, a gate, or another value of
    /// its request.
    case waiting
    /// It was stopped, and has returned.
    case stopped
    /// It is at work.
    case running
  }

  /// The actions that it has sent and that a store would have reduced, in order.
  public var sent: [Action]
  /// How far it is.
  public var end: End

  /// Makes an outcome to compare with: of a run that has sent `sent` and returned, unless `end` says otherwise.
  public init(sent: [Action] = [], end: End = .returned) { (self.sent, self.end) = (sent, end) }

  /// The error that it has thrown, if it has.
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
