/// What a held run needs of its effect.
protocol RunServer: AnyObject, Sendable {
  var actionType: Any.Type { get }
  var failureType: Any.Type { get }
  /// The effect component.
  var component: any Sendable { get }
  /// - Returns: whether the action was accepted; `nil` if it is of another type.
  func send(_ action: any Sendable, from run: Run, at site: CallSite, _ engine: Engine) -> Bool?
  /// - Returns: `false` if the failure is of another type.
  func conclude(_ run: Run, failure: (any Error)?) -> Bool
  func serve(_ run: Run, _ engine: Engine)

  // For a test that explores what may happen. The turn lock must be held, between turns.

  /// The run by what is decided now, which may have been put in place of something equal; `nil` if it has returned.
  func current(_ run: Run) -> Run?
  /// Whether what the run sends is reduced.
  func admits(_ run: Run) -> Bool
  /// The store's action that an action of the effect's becomes; `nil` if it is of another type.
  func storeAction(of action: any Sendable, from run: Run, _ engine: Engine) -> (any Sendable)?
  /// The store's action that a failure becomes; `nil` if it is of another type.
  func storeAction(ofFailure failure: any Error, of run: Run, _ engine: Engine) -> (any Sendable)?
  /// Concludes a run that has returned.
  ///
  /// - Returns: whether that is done; otherwise it is when the turn lock has been released.
  func concludeInTurn(_ run: Run) -> Bool
  /// Ends every run, and asks anew for what is asked for.
  func restart()
}
