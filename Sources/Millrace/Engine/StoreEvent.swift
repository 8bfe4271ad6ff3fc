/// One thing that happened in a store, as an observer is told.
public struct StoreEvent: Sendable {
  /// Counts the events of one store from 1, without gaps from when the first observer was connected.
  public let number: UInt64
  /// When it happened.
  public let instant: ContinuousClock.Instant
  /// What happened.
  public let kind: Kind

  /// The kinds of event.
  public enum Kind: Sendable {
    /// An action was admitted and is about to be reduced. `sequence` counts the reduced actions of the store
    /// from 1; `action` is the store's own action, also where it was sent through a scope.
    case willReduce(action: any Sendable, sequence: UInt64, cause: ActionCause)
    /// The reducer has returned after `duration`. `queueDepth` is how many sendings waited meanwhile.
    case didReduce(sequence: UInt64, duration: Duration, queueDepth: Int)
    /// An action was fenced or refused: it never touches the state. A refused action of a scope is the scope's.
    case turnedAway(action: any Sendable, fate: Delivery, cause: ActionCause)
    /// A run was started by the action with the given sequence number, or by connecting its effect.
    case runStarted(RunIdentity, startedBy: UInt64?)
    /// A run has returned without having been stopped.
    case runFinished(RunIdentity)
    /// A run that was not stopped has thrown.
    case runFailed(RunIdentity, error: any Error)
    /// A run was stopped: what it sends from here on is fenced. Its body may go on until it notices.
    case runCancelled(RunIdentity)
    /// The body of a stopped run has returned.
    case runEnded(RunIdentity)
    /// A component was connected.
    case connected(ConnectionIdentity)
    /// A component was disconnected.
    case disconnected(ConnectionIdentity)
    /// A component's update, or a view's props, was committed, when so many actions had been reduced.
    case updated(ConnectionIdentity, sequence: UInt64)
  }
}

/// What caused an action.
public enum ActionCause: Sendable {
  /// It was sent from outside of any run, at this place.
  case outside(CallSite)
  /// It was sent by a run, which was started by the action with the sequence number `startedBy`, or by
  /// connecting its effect.
  case run(RunIdentity, startedBy: UInt64?, CallSite)
}

/// Which run it is.
public struct RunIdentity: Sendable, CustomStringConvertible {
  /// The number of its connection.
  public let connection: UInt64
  /// The name of its connection.
  public let name: String
  /// The number of the run, never used again in its store.
  public let generation: UInt64
  /// The request that it serves.
  public let request: any Sendable & Hashable

  /// `SearchEffect #7 ("swift")`
  public var description: String { "\(name) #\(generation) (\(String(reflecting: request)))" }
}
