/// An object connected to a store that acts on a slice of its state.
///
/// An actor, a class isolated to a global actor, or any `Sendable` class can be a component. It receives props and
/// sees nothing else of the state:
///
/// ```swift
/// actor Log: Component {
///   private(set) var lines: [String] = []
///   func update(_ count: Int) { lines.append("count is \(count)") }
/// }
/// ```
///
/// After `connect` the component gets the current props once. Then it gets only props that differ from the last ones
/// that it received, in order, and at the end always the latest. While an `update` is in progress, only the newest
/// value waits. So a slow component skips values and delays no other component.
public protocol Component<Props>: PropsReceiver {
  /// The value that the component acts on.
  associatedtype Props

  /// Acts on new props.
  ///
  /// Called in the component's own isolation, in a task of the store's, never on the reducer queue and under no lock
  /// of the runtime. Two calls for one connection never overlap: the next props wait until this returns. It may call
  /// every method of the store.
  func update(_ props: Props) async
}
