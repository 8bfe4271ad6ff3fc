import Millrace

/// Gives props to a component or a view as a store does, without an app's state.
///
/// ```swift
/// let log = Log()
/// let harness = ComponentHarness(log, 0)
/// await harness.settle()
/// harness.set(1)
/// await harness.settle()
/// #expect(await log.lines == ["count is 0", "count is 1"])
/// ```
///
/// Props equal to the last delivered ones are not delivered. If several props are set during an `update`, the component
/// gets the newest. A view is held weakly: keep it. All members can be used from any thread.
public final class ComponentHarness<Props: Equatable & Sendable>: Sendable {
  private let store: Store<Props, Props>
  private let connection: Connection

  /// Connects a component or a view, which gets `props` first.
  public init(_ receiver: some PropsReceiver<Props>, _ props: Props) {
    var options = StoreOptions(name: "ComponentHarness")
    options.seams.settlesWhenParked = true
    store = Store(initialState: props, on: .immediate, options: options) { $0 = $1 }
    connection = store.connect(receiver)
  }

  /// The last props set.
  public var props: Props { store.state }

  /// Sets the next props. Returns at once; ``settle()`` waits until the component has them.
  public func set(_ props: Props) { store.dispatch(props) }

  /// Waits until the component has the last props and no `update` is at work: each has returned, or waits for something
  /// that only the test brings about, such as a ``Gate``.
  public func settle() async { await store.settled() }

  /// Ends the connection: the component gets no more props. An `update` in progress continues until it returns.
  public func disconnect() { connection.disconnect() }
}
