/// The point at which the program ends in a rerun, and the state with which it begins again.
struct CrashPlan: Sendable {
  typealias IsRequest = @Sendable (any Hashable & Sendable) -> Bool

  enum Disk: Sendable {
    /// The state at the end of the program.
    case newest
    /// The state of the last completed save.
    case saved
  }

  /// The point at which the program ends, counted from 1. Points are the steps of the test, and each action of an
  /// answer except the last.
  let point: Int
  var disk = Disk.newest
  /// Whether a request saves the state.
  var isSave: IsRequest = { _ in false }
  /// Whether a request has to wait until the state that asks for it is saved.
  var waitsForSave: IsRequest = { _ in false }
  /// Whether a run does not repeat its actions after a restart.
  var isLive: IsRequest = { _ in false }
}

/// An end of the program in a rerun.
struct Crash<State: Sendable>: Sendable {
  /// The step of the test that it follows or is within, counted from 1.
  let step: Int
  let isWithinStep: Bool
  /// The last action that was reduced before, in words.
  let action: String
  let before: State
  /// The persisted state, or the error for which it could not be persisted.
  let after: Result<State, any Error>
}
