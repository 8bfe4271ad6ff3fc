/// The kinds of connections, distinguished by how they end.
enum ConnectionKind: CaseIterable {
  /// Has runs.
  case effect
  /// Begins and ends parts of the state.
  case keeper
  /// Gets props: a component or a view.
  case receiver
  /// Takes recorded values when it asks for them: a sequence, or a task that waits for a state.
  case consumer
  /// Receives events of the store.
  case observer
}

/// The order in which the connections of each kind end, if many end together. Pure. A single connection that is
/// disconnected ends together with its parts, and these end as in `part`.
enum Ending: CaseIterable {
  /// A part of the state was removed, or the connection that keeps it has ended.
  case part
  /// The last handle of the store was released.
  case lastHandle
  /// The store or a scope was shut down, and the graceful time has passed.
  case shutdown

  /// One step. It begins when the step before is complete.
  enum Step: Hashable {
    /// The connections of these kinds end: their runs are stopped, and they get nothing more.
    case end([ConnectionKind])
    /// Nothing more is reduced. Connections of these kinds get the current props as their last ones.
    case giveLastProps(to: [ConnectionKind])
    /// Waits until all work has returned, including the calls of observers. A hard deadline ends this wait and all
    /// later ones.
    case awaitReturns
  }

  /// The steps in their order. Observers end last, since they get an event for the end of each other connection.
  var steps: [Step] {
    switch self {
    case .part, .lastHandle: Self.atOnce
    case .shutdown: Self.inOrder
    }
  }

  private static let atOnce: [Step] = [.end([.effect, .keeper, .receiver, .consumer]), .end([.observer])]
  private static let inOrder: [Step] = [
    .end([.effect]), .giveLastProps(to: [.keeper, .receiver]), .end([.consumer]), .awaitReturns,
    .end([.keeper, .receiver]), .end([.observer]), .awaitReturns,
  ]
}
