/// A function that changes state in place in answer to one action, and does nothing else.
///
/// A reducer is called on its store's serial reducer queue, one action at a time. It is pure: it reads no
/// clock, starts no work and calls no store. What is to be done about a change is decided by the effect
/// components that watch the state.
///
/// Reducers are composed by a plain `switch` that hands each action to the feature it belongs to:
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
