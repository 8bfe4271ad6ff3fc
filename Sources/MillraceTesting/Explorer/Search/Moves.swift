import Millrace

/// The moves that are legal at one moment, in the order in which they are explored.
struct Moves<Action: Sendable> {
  let user: [Action]
  let components: [(name: String, action: Action)]
  let outcomes: [PreparedMove<Action>]
  let hasRestart: Bool

  var count: Int { user.count + components.count + outcomes.count + (hasRestart ? 1 : 0) }

  /// A move as a value.
  func step(_ index: Int) -> ExploredStep<Action> {
    var index = index
    if index < user.count { return .action(user[index]) }
    index -= user.count
    if index < components.count { return .component(components[index].name, components[index].action) }
    index -= components.count
    if index == outcomes.count { return .restart }
    return switch outcomes[index].event {
    case .outcome(let outcome): .outcome(outcome)
    case .time(let time): .time(time)
    }
  }

  /// The run that makes a move; `nil` for a move of the user's, of a component's, a restart, and time that passes.
  func run(_ index: Int) -> RunKey? {
    let index = index - user.count - components.count
    return index >= 0 && index < outcomes.count ? outcomes[index].run?.key : nil
  }

  /// Whether a move comes by itself: an outcome of a run, or time that passes.
  func comesByItself(_ index: Int) -> Bool {
    let index = index - user.count - components.count
    return index >= 0 && index < outcomes.count
  }
}

/// A move of a run, or time that passes. A class, since lists of it are read at every move.
final class PreparedMove<Action: Sendable> {
  /// What becomes of the run.
  enum End {
    case goesOn
    case returns
    /// It has thrown, which becomes an action.
    case fails(Action)
  }

  let event: MoveEvent
  /// The run that makes the move; `nil` where time passes.
  let run: ModelledRun?
  /// What it sends.
  let action: Action?
  let end: End
  /// What the move is to the policies around the effect.
  let act: Timing.Act?
  /// What is known of the run afterwards.
  let script: RunScript

  init(
    _ event: MoveEvent, by run: ModelledRun? = nil, sending action: Action? = nil, end: End = .goesOn,
    act: Timing.Act? = nil, script: RunScript = RunScript()
  ) {
    (self.event, self.run, self.action) = (event, run, action)
    (self.end, self.act, self.script) = (end, act, script)
  }
}

/// What happens by a move that is not the user's. Without the type of the actions, since this is copied at every move.
enum MoveEvent {
  case outcome(ExploredOutcome)
  case time(Duration)
}
