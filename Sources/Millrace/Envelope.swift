/// One thing that waits in a store's mailbox for its turn, without the action itself: the actions lie in the
/// state box, in the same order, so that this stays free of generics.
struct Envelope {
  enum Work {
    /// The next action of the state box.
    case action
    /// The next so many actions of the state box, in one turn.
    case batch(Int)
    /// A change of what is connected.
    case command((Engine, Outcome) -> Void)
  }

  var work: Work
  /// The run that sent it; `nil` from outside.
  var run: Run?
  /// What it was sent through.
  var scope: Scope
  var site: CallSite
  /// Who waits to hear of its fate.
  var sender: UnsafeContinuation<Delivery, Never>?
  /// Who records what is sent through a scope.
  var echoes: [Echo]?
}

/// Called in the turn in which an action is reduced, after it is, with the lock of the turn held.
typealias Echo = (Engine, Outcome) -> Void
