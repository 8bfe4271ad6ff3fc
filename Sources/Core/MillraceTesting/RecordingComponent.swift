import Millrace

/// A component that records its props, and can be slowed down.
///
/// Connect it to a store to see what a component of that slice receives:
///
/// ```swift
/// let component = RecordingComponent<Int>()
/// store.connect(component, to: \.count)
/// #expect(try await component.received.values(atLeast: 1) == [0])
/// ```
///
/// With a gate, each `update` records its props and then waits at the gate:
///
/// ```swift
/// let gate = Gate()
/// let slow = RecordingComponent<Int>(holdingAt: gate)
/// ```
public final class RecordingComponent<Props: Equatable & Sendable>: Component {
  /// The props of each `update`, recorded when it begins.
  public let received = Recorder<Props>()

  /// The props of each `update`, recorded just before it returns.
  public let finished = Recorder<Props>()

  private let gate: Gate?

  /// Makes a component. If there is a `gate`, each `update` waits there, whether or not its task is cancelled.
  public init(holdingAt gate: Gate? = nil) {
    self.gate = gate
  }

  /// Records `props` in ``received``, waits at the gate if there is one, and records them in ``finished``.
  public func update(_ props: Props) async {
    received.append(props)
    await gate?.waitIgnoringCancellation()
    finished.append(props)
  }
}
