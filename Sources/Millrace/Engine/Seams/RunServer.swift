/// What a held run needs of its effect.
protocol RunServer: AnyObject, Sendable {
  var actionType: Any.Type { get }
  var failureType: Any.Type { get }
  /// - Returns: whether the action was accepted; `nil` if it is of another type.
  func send(_ action: any Sendable, from run: Run, at site: CallSite, _ engine: Engine) -> Bool?
  /// - Returns: `false` if the failure is of another type.
  func conclude(_ run: Run, failure: (any Error)?) -> Bool
  func serve(_ run: Run, _ engine: Engine)
  /// The lines in which the run waits before it begins.
  func lines(of run: Run) -> [PlaceInLine]
}
