/// A function that changes the state in place in answer to one action, and does nothing else.
///
/// A reducer is called on its store's serial reducer queue, one action at a time. It is pure: it reads no clock, starts
/// no work and calls no store. Effect components watch the state and decide which work follows a change.
///
/// Compose reducers by a `switch` that hands each action to its feature:
///
/// ```swift
/// func reduceApp(_ state: inout App, _ action: AppAction) {
///   switch action {
///   case .counter(let action): Counter.reduce(&state.counter, action)
///   case .reset: state = App()
///   }
/// }
/// ```
public typealias Reducer<State, Action> = @Sendable (inout State, Action) -> Void
