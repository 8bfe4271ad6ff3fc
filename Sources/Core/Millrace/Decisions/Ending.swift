/// The kinds of connections, as far as their endings differ.
enum ConnectionKind: CaseIterable {
  /// Has runs.
  case effect
  /// Begins and ends parts of the state.
  case keeper
  /// Gets props: a component or a view.
  case receiver
  /// Takes what was recorded for it when it wants to: a sequence, or a task that waits for a state.
  case consumer
  /// Is told what the store does.
  case observer
}

/// What ends, of which kind, in which order, where many connections end together. Pure. A single connection that is
/// disconnected ends with the parts that it keeps, and these end as parts do.
enum Ending: CaseIterable {
  /// A part of the state has gone, or the connection that keeps it has ended.
  case part
  /// The last handle of the store was released.
  case lastHandle
  /// The store or a scope was shut down, and the graceful time is over.
  case shutdown

  /// One step, which begins when the one before is done.
  enum Step: Hashable {
    /// The connections of these kinds end: their runs are stopped, and they are given nothing more.
    case end([ConnectionKind])
    /// Nothing more is reduced: these kinds get the present props, and none after them.
    case giveLastProps(to: [ConnectionKind])
    /// Everything under way returns, also the calls of observers. A hard deadline ends the wait, and all waits after it.
    case awaitReturns
  }

  /// The steps, in their order. Observers end last: a store tells them of each connection that ends before.
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
