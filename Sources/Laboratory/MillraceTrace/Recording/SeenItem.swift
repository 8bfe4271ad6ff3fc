import Millrace

/// An event that a recorder has received. Without the types of the store: a list of generic values would look up its
/// type at every append, on the reducer queue.
enum SeenItem: Sendable {
  /// The state, the connections and the runs with which the recording begins, or goes on after a gap.
  ///
  /// - Parameter gap: the number of events lost; `nil` at the beginning.
  case moment(any Sendable, WitnessedMoment, gap: (lost: Int, details: Int)?)
  case action(any Sendable, WitnessedTurn)
  /// The state after the action of this number.
  ///
  /// - Parameter isLast: whether the recording ends with it.
  case state(any Sendable, sequence: UInt64, isLast: Bool)
  case event(StoreEvent.Kind)
  case wait(WitnessedWait)
  case closing
  case note(kind: String, text: String)
  case diagnostic(StoreDiagnostic)
  /// - Parameter isClosing: whether the store was being shut down.
  case ended(isClosing: Bool)

  /// An item with its time, in nanoseconds of the machine's uptime clock.
  typealias Timed = (time: UInt64, item: SeenItem)
}
