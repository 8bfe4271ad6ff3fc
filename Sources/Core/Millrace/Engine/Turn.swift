/// The turn that is made, and the counts of all before it. Guarded by the turn lock. Its fields are read and written one by
/// one: no access of the whole lasts while code is called.
struct Turn {
  /// The kind of the user's function that the turn is calling.
  enum Evaluation { case none, reducing, selecting }

  /// The number of the latest envelope that had its turn.
  var number: UInt64 = 0
  /// The number of actions reduced, which is the sequence number of the last one.
  var sequence: UInt64 = 0
  /// The number of actions fenced.
  var fenced: UInt64 = 0
  /// The number of the latest run.
  var generations: UInt64 = 0
  var evaluation = Evaluation.none
  /// The run that sent the action of the turn; `nil` for an action from outside, and between turns.
  var run: Run?
  /// Whether effects are asked because of an action, also those that a lifetime has just connected. Not so in the turn of a
  /// connection.
  var isOfAction = false
}

/// The work that is due. Booleans, since every turn reads them. Guarded by the turn lock.
struct Due {
  /// Whether the tree of slices is to be changed, or something torn down.
  var changes = false
  /// Whether displays have not been served since the last change of the state.
  var displays = false
  /// Whether tasks wait.
  var awaiters = false
  /// Whether there are observers or witnesses, for which events are made.
  var events = false
}
