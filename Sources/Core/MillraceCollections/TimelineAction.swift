/// An action on a ``Timeline``.
public enum TimelineAction<Action: Sendable>: Sendable {
  /// An action on the state. It makes a step, or is held or refused while the timeline looks back.
  case change(Action)
  /// Looks at the step before the one in view; does nothing before the first one.
  case back
  /// Looks at the step after the one in view. From the last but one, this returns to the newest state.
  case forward
  /// Looks at a step by its number, or at the start; does nothing if there is no such step. Even the newest state can
  /// be looked at, and then does not change until the return.
  case to(step: Int)
  /// Returns to the newest state, and reduces the held actions.
  case live
  /// Continues from the step in view; the steps after it are kept as a branch.
  case branch
  /// Continues from the last step of a branch, by its id; the steps that replaced it become a branch.
  case take(branch: Int)
  /// Forgets a branch by its id, and those that follow it.
  case forget(branch: Int)
  /// Forgets all branches.
  case forgetBranches
  /// Forgets all steps and branches: the state in view becomes the start, as after a sign-out.
  case forgetSteps
}

extension TimelineAction: Equatable where Action: Equatable {}
extension TimelineAction: Encodable where Action: Encodable {}
extension TimelineAction: Decodable where Action: Decodable {}

/// Returns a reducer that calls another one, records the steps of its state, and moves between them.
///
/// ```swift
/// let reduceDrawing = timeline(Drawing.reduce) { action in action != .pointerMoved }
/// ```
///
/// Call the result like any reducer. The limit of steps, and the handling of actions that arrive while the timeline
/// looks back, belong to the value: ``Timeline/init(_:limit:arrivals:)``.
///
/// - Parameters:
///   - reduce: the reducer of the state.
///   - isRecorded: whether an action is a step; by default each is. The state after another action belongs to the
///     step before it.
public func timeline<State, Action>(
  _ reduce: @escaping @Sendable (inout State, Action) -> Void,
  where isRecorded: @escaping @Sendable (Action) -> Bool = { _ in true }
) -> @Sendable (inout Timeline<State, Action>, TimelineAction<Action>) -> Void {
  { timeline, action in timeline.reduce(action, where: isRecorded, with: reduce) }
}
