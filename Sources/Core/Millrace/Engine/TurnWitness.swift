/// Receives every event of a store inside the turn in which it happens. Only MillraceTrace has one.
///
/// Called with the turn lock held, but for what `waits` and `reported` say: an implementation appends to a list and calls
/// nothing of the user's.
package protocol TurnWitness<State, Action>: AnyObject, Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  /// The witness has its place: it sees everything from here on.
  func began(_ store: WitnessedStore<State, Action>)
  /// An action was reduced.
  func reduced(_ action: Action, _ turn: WitnessedTurn, _ store: WitnessedStore<State, Action>)
  /// Anything else happened. Not called for `willReduce` and `didReduce`.
  func happened(_ event: StoreEvent.Kind, _ store: WitnessedStore<State, Action>)
  /// A task of a run begins to wait, or is about to be resumed. Called on any thread, with or without the turn lock.
  func waits(_ wait: WitnessedWait)
  /// The store has reported a mistake. Called on any thread, with no lock held.
  func reported(_ diagnostic: StoreDiagnostic)
  /// The connection has ended.
  func ended(_ store: WitnessedStore<State, Action>)
  /// Whether something that was seen is still being worked on.
  var isBusy: Bool { get }
}

/// The reduction of one action.
package struct WitnessedTurn: Sendable {
  package let sequence: UInt64
  package let site: CallSite
  /// The run that sent the action, and the action that started that run.
  package let run: (generation: UInt64, startedBy: UInt64?)?
  /// Whether the store starts nothing more.
  package let isClosing: Bool
  /// When the reducer was called, in nanoseconds of the machine's own clock, and how long it took.
  package let start, duration: UInt64
}

/// A wait of a task inside a run.
package struct WitnessedWait: Sendable {
  /// The number of the run.
  package let generation: UInt64
  /// Tells the waits of one run apart.
  package let identity: ObjectIdentifier
  /// The reason; `nil` when the wait is over. Calls the user's code.
  package let reason: (@Sendable () -> String)?
}

/// What is connected and what runs, at one moment.
package struct WitnessedMoment: Sendable {
  /// A run that has begun, or waits for the run before it.
  package struct LiveRun: Sendable {
    package let identity: RunIdentity
    package let startedBy: UInt64?
    /// The newest value of its request, if that was handed over to it.
    package let newest: (any Hashable & Sendable)?
    /// Whether it was stopped and has not returned.
    package let isStopping: Bool
    /// Whether it waits for the run before it.
    package let isBehind: Bool

    /// What it serves.
    package var request: any Hashable & Sendable { newest ?? identity.request }
  }

  package struct Connected: Sendable {
    package let identity: ConnectionIdentity
    package let slice: String
    /// Whether it belongs to a part of the state, with which it ends.
    package let isInPart: Bool
  }

  /// The number of actions reduced.
  package let sequence: UInt64
  package let connections: [Connected]
  package let runs: [LiveRun]
}

/// What an effect asks for and runs at one moment, as far as it concerns one request.
package struct RequestMoment {
  package let connection: ConnectionIdentity
  let path: SlicePath?
  /// Whether the request is asked for.
  package let isAsked: Bool
  /// The other requests that are asked for.
  package let others: [any Hashable & Sendable]
  /// Whether it has been served and is still asked for.
  package let isFinished: Bool
  /// The runs that have not returned.
  package let runs: [WitnessedMoment.LiveRun]
  /// The numbers of those whose identity is that of the request.
  package let rivals: Set<UInt64>

  /// The slice in words. Calls the user's code.
  package var slice: String { path?.text() ?? "-" }
}

/// What is connected and has runs. The turn lock must be held.
protocol RunKeeping {
  /// The runs that have not returned.
  var liveRuns: [WitnessedMoment.LiveRun] { get }
  /// `nil` if it has requests of another type.
  func moment(of request: any Hashable & Sendable) -> RequestMoment?
}
