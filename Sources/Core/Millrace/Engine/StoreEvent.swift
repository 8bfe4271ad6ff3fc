import MillraceSpelling

/// One event in a store, as an observer receives it.
public struct StoreEvent: Sendable {
  /// The number of the event in its store, counted from 1 without gaps since the first observer was connected.
  public let number: UInt64
  /// When it happened.
  public let instant: ContinuousClock.Instant
  /// The kind of the event, with its details.
  public let kind: Kind

  /// The kinds of event. More will be added, so a `switch` over them needs a default.
  @nonexhaustive public enum Kind: Sendable {
    /// An action was admitted and is about to be reduced. `sequence` counts the reduced actions of the store from 1.
    /// `action` is the store's own action, even if it was sent through a scope.
    case willReduce(action: any Sendable, sequence: UInt64, cause: ActionCause)
    /// The reducer has returned after `duration`. `queueDepth` is the number of entries waiting in the mailbox.
    case didReduce(sequence: UInt64, duration: Duration, queueDepth: Int)
    /// An action was fenced or refused, and does not change the state. A refused action of a scope has the scope's
    /// type.
    case turnedAway(action: any Sendable, fate: Delivery, cause: ActionCause)
    /// A run was started by the action with the given sequence number, or by connecting its effect.
    case runStarted(RunIdentity, startedBy: UInt64?)
    /// A run continues with another value of its request, which was handed over to it. The identity of the run keeps
    /// the request with which the run began.
    case runHandedOver(RunIdentity, request: any Sendable & Hashable)
    /// A run has ended, after `reduced` of its actions were reduced. From now on its actions are fenced. Each run that
    /// was started ends once. The body may continue, unless the ending says that it has returned.
    case runEnded(RunIdentity, Ending, reduced: Int)
    /// The body of a run has returned after the run was answered, withdrawn or disconnected. `fenced` counts the
    /// actions that it sent after its end.
    case runReturned(RunIdentity, fenced: Int)
    /// An effect, a component or anything else was connected.
    case connected(ConnectionIdentity)
    /// The connection has ended.
    case disconnected(ConnectionIdentity)
    /// A component's update, or the setting of a view's props, was committed. `sequence` is the number of actions
    /// reduced by then.
    case updated(ConnectionIdentity, sequence: UInt64)
  }

  /// The way in which a run ended. After any ending, no action of the run is reduced.
  @nonexhaustive public enum Ending: Sendable {
    /// The body returned.
    case finished
    /// An action of the run itself, with the sequence number `action`, removed its request from the state. The run is
    /// stopped: its body may continue until it notices.
    case answered(action: UInt64)
    /// Another action, with the sequence number `action`, removed the request from the state, or replaced it under its
    /// identity. The run is stopped.
    case withdrawn(action: UInt64)
    /// The connection, its part of the state or its store ended. The run is stopped.
    case disconnected
    /// The body threw an error, which became an action of the effect.
    case failed(any Error, action: any Sendable)

    /// Whether the run's body may continue: the run was answered, withdrawn or disconnected.
    public var isStop: Bool {
      switch self {
      case .answered, .withdrawn, .disconnected: true
      case .finished, .failed: false
      }
    }
  }
}

/// The cause of an action.
@nonexhaustive public enum ActionCause: Sendable {
  /// The action was sent from outside of any run, at this place.
  case outside(CallSite)
  /// The action was sent by a run, which was started by the action with the sequence number `startedBy`, or by
  /// connecting its effect if `nil`.
  case run(RunIdentity, startedBy: UInt64?, CallSite)
}

/// The identity of a run.
public struct RunIdentity: Sendable, CustomStringConvertible {
  /// The number of its connection.
  public let connection: UInt64
  /// The name of its connection.
  public let name: String
  /// The number of the run, unique in its store.
  public let generation: UInt64
  /// The request that the run serves.
  public let request: any Sendable & Hashable

  /// The name, the number and the request, in the form `SearchEffect #7 ("swift")`.
  public var description: String { "\(name) #\(generation) (\(Spelling.text(of: request)))" }
}

extension StoreEvent.Ending: CustomStringConvertible {
  /// The ending in words, such as `withdrawn by action 12`.
  public var description: String {
    switch self {
    case .finished: "finished"
    case .answered(let action): "answered by its action \(action)"
    case .withdrawn(let action): "withdrawn by action \(action)"
    case .disconnected: "disconnected"
    case .failed(let error, _): "failed with \(Spelling.text(of: error))"
    }
  }
}
