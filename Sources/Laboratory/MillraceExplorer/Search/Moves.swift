/// The legal moves at one moment, in the order in which they are explored.
struct Moves<Action: Sendable> {
  /// The user's actions, then those of components. One list, so that actions can be read without their names.
  let actions: [Action]
  /// The components that send the last of the actions.
  let components: [String]
  let outcomes: [PreparedMove<Action>]
  let hasRestart: Bool

  var count: Int { actions.count + outcomes.count + (hasRestart ? 1 : 0) }

  /// A move as a value.
  func step(_ index: Int) -> ExploredStep<Action> {
    let userCount = actions.count - components.count
    if index < userCount { return .action(actions[index]) }
    if index < actions.count { return .component(components[index - userCount], actions[index]) }
    if index - actions.count == outcomes.count { return .restart }
    let move = outcomes[index - actions.count]
    switch move.event {
    case .outcome(let outcome): return .outcome(outcome)
    case .time(let time): return .time(time)
    case .closure(let name): return .closure(name, move.actions[0])  // such a move has one action
    }
  }

  /// The move that comes by itself; `nil` for an action of the user or a component, and for a restart.
  func outcome(_ index: Int) -> PreparedMove<Action>? {
    let index = index - actions.count
    return index >= 0 && index < outcomes.count ? outcomes[index] : nil
  }

  /// The run that makes a move; `nil` for a move that no run makes.
  func run(_ index: Int) -> RunKey? { outcome(index)?.run?.key }
}

/// A move that comes by itself: an outcome of a run, time that passes, or a closure's action. A class, since lists of
/// it are copied at every move.
final class PreparedMove<Action: Sendable> {
  let event: MoveEvent
  /// Whether a closure has dispatched the action. Stored, since a look at the event would copy it.
  let isSentByClosure: Bool
  /// The run that makes the move, if one does.
  let run: ModelledRun?
  /// The value of its request that the run then serves; `nil` if the move does not show that.
  let value: RunValue?
  /// The action that is reduced, if any: one that the run sends, or that its failure becomes. An array, since reading
  /// an optional action would look up its generic type.
  let actions: [Action]
  let end: MoveEnd
  /// The meaning of the move for the policies around the effect.
  let act: Timing.Act?
  /// The state of the run afterwards.
  let script: RunScript

  init(
    _ event: MoveEvent, by run: ModelledRun? = nil, at value: RunValue? = nil, sending action: Action? = nil,
    end: MoveEnd = .continues,
    act: Timing.Act? = nil, script: RunScript = RunScript()
  ) {
    (self.event, self.run, self.value, actions) = (event, run, value, action.map { [$0] } ?? [])
    (self.end, self.act, self.script) = (end, act, script)
    if case .closure = event { isSentByClosure = true } else { isSentByClosure = false }
  }
}

/// The event of a move that comes by itself. Without the type of the actions, since it is copied at every move.
enum MoveEvent {
  case outcome(ExploredOutcome)
  case time(Duration)
  /// A `connect` function or a lifetime's closure of this name has dispatched the action.
  case closure(String)
}

/// The fate of the run that makes a move.
package enum MoveEnd: Sendable {
  case continues
  /// The run returns once its action is reduced.
  case returns
  /// The run has thrown, and the action is that of the failure.
  case fails
}
