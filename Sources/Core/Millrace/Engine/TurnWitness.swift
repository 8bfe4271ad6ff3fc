/// Receives every event of a store inside the turn in which it happens. Only MillraceTrace has one.
///
/// Called with the turn lock held, except `waits` and `reported`. An implementation appends to a list and calls none of
/// the user's code.
package protocol TurnWitness<State, Action>: AnyObject, Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  /// The witness was connected. It receives everything from now on.
  func began(_ store: WitnessedStore<State, Action>)
  /// An action was reduced.
  func reduced(_ action: Action, _ turn: WitnessedTurn, _ store: WitnessedStore<State, Action>)
  /// Anything else happened. Not called for `willReduce` and `didReduce`.
  func happened(_ event: StoreEvent.Kind, _ store: WitnessedStore<State, Action>)
  /// A task of a run begins a wait, or is about to be resumed. Called on any thread, with or without the turn lock.
  func waits(_ wait: WitnessedWait)
  /// The store has reported a mistake. Called on any thread, with no lock held.
  func reported(_ diagnostic: StoreDiagnostic)
  /// The connection has ended.
  func ended(_ store: WitnessedStore<State, Action>)
}

/// The reduction of one action.
package struct WitnessedTurn: Sendable {
  package let sequence: UInt64
  package let site: CallSite
  /// The run that sent the action, and the action that started that run.
  package let run: (generation: UInt64, startedBy: UInt64?)?
  /// Whether the store begins no further runs.
  package let isClosing: Bool
  /// The start of the reducer's call, in nanoseconds of the machine's monotonic clock, and its duration in nanoseconds.
  package let start, duration: UInt64
}

/// A wait of a task inside a run.
package struct WitnessedWait: Sendable {
  /// The number of the run.
  package let generation: UInt64
  /// Distinguishes the waits of one run.
  package let identity: ObjectIdentifier
  /// The reason; `nil` when the wait is over. Calls the user's code.
  package let reason: (@Sendable () -> String)?
}

/// The connections and runs at one moment.
package struct WitnessedMoment: Sendable {
  /// A run that has begun, or waits for the run before it.
  package struct LiveRun: Sendable {
    package let identity: RunIdentity
    package let startedBy: UInt64?
    /// The newest value of its request, if one was handed over to it.
    package let newest: (any Hashable & Sendable)?
    /// Whether it was stopped and has not returned.
    package let isStopping: Bool
    /// Whether it waits for the run before it.
    package let isBehind: Bool

    /// The request that it serves.
    package var request: any Hashable & Sendable { newest ?? identity.request }
  }

  /// The number of actions reduced.
  package let sequence: UInt64
  package let connections: [(identity: ConnectionIdentity, slice: String)]
  package let runs: [LiveRun]
}

/// The requests and runs of one effect at one moment, in relation to one request.
package struct RequestMoment {
  package let connection: ConnectionIdentity
  let path: SlicePath?
  /// Whether the state asks for the request.
  package let isAsked: Bool
  /// The other requests that the state asks for.
  package let others: [any Hashable & Sendable]
  /// Whether the request has been served and the state still asks for it.
  package let isFinished: Bool
  /// The runs that have not returned.
  package let runs: [WitnessedMoment.LiveRun]
  /// The numbers of the runs with the identity of the request.
  package let rivals: Set<UInt64>

  /// A description of the slice. Calls the user's code.
  package var slice: String { path?.text() ?? "-" }
}
