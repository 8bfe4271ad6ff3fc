/// What the engine needs of the state's host, without its types.
protocol Host: AnyObject, Sendable {
  /// The name of the state's type.
  var stateName: String { get }
  /// The root of a tree of slices of the state.
  func makeRoot() -> Node
  /// All has ended and the last handle is gone: lets go of the state.
  func releaseState(_ engine: Engine)
  /// How many envelopes were taken from the mailbox and have not had their turn. The turn lock must be held.
  var waitingCount: Int { get }
  /// The action of the current turn, for reports. The turn lock must be held.
  var currentAction: (any Sendable)? { get }
  /// Makes turns on the current thread until nothing waits or the envelope with the ticket has had its turn.
  ///
  /// - Parameter holdsClaim: whether the thread is the one that the schedule of drains knows of.
  func drain(_ engine: Engine, until ticket: UInt64?, holdsClaim: Bool)
}
