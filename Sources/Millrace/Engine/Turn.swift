/// The turn that is made, and the counts of all before it. Guarded by the turn lock. Its fields are read and written one by
/// one: no access of the whole lasts while code is called.
struct Turn {
  /// Which of the user's pure functions it is calling.
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
  /// The run that sent its action.
  var run: Run?
  /// Whether it is one of an action, whose effects are served.
  var isOfAction = false
}

/// What is due. Asked in every turn, for which a Boolean costs least. Guarded by the turn lock.
struct Due {
  /// Whether the tree of slices is to be changed, or something torn down.
  var changes = false
  /// Whether displays have not been served since the last change of the state.
  var displays = false
  /// Whether tasks wait.
  var waiters = false
  /// Whether somebody observes.
  var events = false
}
