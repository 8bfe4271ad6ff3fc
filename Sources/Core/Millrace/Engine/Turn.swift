/// The current turn, and the counts of all turns before it. Guarded by the turn lock. Each field is accessed
/// separately, so that no access of the whole lasts while code is called.
struct Turn {
  /// The kind of the user's function that the turn is calling.
  enum Evaluation { case none, reducing, selecting }

  /// The number of the latest envelope that had its turn.
  var number: UInt64 = 0
  /// The number of actions reduced, which is the sequence number of the last one.
  var sequence: UInt64 = 0
  /// The number of actions fenced.
  var fenced: UInt64 = 0
  /// The number of the latest event that an observer received.
  var events: UInt64 = 0
  /// The number of the latest run.
  var generations: UInt64 = 0
  /// The run that sent the action of the turn; `nil` for an action from outside, and between turns.
  var run: Run?
  var evaluation = Evaluation.none
  /// Whether effects are evaluated because of an action, including effects that a lifetime has just connected. `false`
  /// in the turn of a connection.
  var isOfAction = false
}

/// The pending work. The fields are Booleans, since every turn reads them. Guarded by the turn lock.
struct Due {
  /// Whether the tree of slices must be changed, or something must be torn down.
  var changes = false
  /// Whether displays have not been served since the last change of the state.
  var displays = false
  /// Whether tasks wait.
  var awaiters = false
  /// Whether there are taps that need events.
  var events = false
  /// Whether some of them need the events of reductions.
  var reductions = false
}
