#if canImport(Observation)
public import Observation

/// A slice of a store's state as a model on the main actor that views observe: for SwiftUI, and for whatever else reads
/// by `withObservationTracking`.
///
/// ```swift
/// let counter = ObservedSlice(store.scope(\.counter, action: AppAction.counter))
/// counter.send(.incremented)
/// ```
///
/// The slice is connected when the model is made, and disconnected when nobody holds the model any more. The model
/// keeps its store alive.
@Observable @MainActor public final class ObservedSlice<Value: Equatable & Sendable, Action: Sendable> {
  /// The newest value that has arrived on the main actor. Reading it is tracked; it changes only to a value that
  /// differs. Values may be skipped; the last one never is.
  public private(set) var value: Value
  @ObservationIgnored private let store: Store<Value, Action>
  /// What the store holds weakly.
  @ObservationIgnored private let receiver: Receiver

  /// Makes a model of a store's state: scope the store to the slice that views need.
  ///
  /// Reads the state once, and connects. Costs what a ``ViewComponent`` costs: one comparison of the slice per drained
  /// batch of turns, and an array in it is copied by its next change.
  public init(_ store: Store<Value, Action>, fileID: StaticString = #fileID, line: UInt = #line) {
    let state = store.state
    self.store = store
    value = state
    receiver = Receiver(state)
    receiver.update = { [weak self] in self?.show($0) }
    store.connect(receiver, named: "ObservedSlice<\(Value.self)>", fileID: fileID, line: line)
  }

  /// Sends an action and returns at once. ``value`` changes when the action has been reduced and the main actor is
  /// free.
  ///
  /// - Returns: `false` if it was refused, since the store was shut down.
  @discardableResult
  public func send(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    store.dispatch(action, fileID: fileID, line: line)
  }

  /// Sends an action and returns when it is reduced and ``value`` shows it: for a text field, which must not be behind
  /// what is typed.
  ///
  /// Makes the turns that are due on the main thread.
  public func sendAndWait(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
    store.dispatchAndWait(action, fileID: fileID, line: line)
    show(store.state)
  }

  /// A pair of closures that read a part of the value and send a change of it, as SwiftUI's `Binding(get:set:)` takes
  /// them.
  ///
  /// ```swift
  /// let query = search.binding(\.query) { .queryChanged($0) }
  /// query.set("swift")
  /// ```
  ///
  /// - Parameters:
  ///   - part: the way to the part.
  ///   - action: the action that says that the part was changed; sent by ``sendAndWait(_:fileID:line:)``.
  public func binding<Part>(
    _ part: any KeyPath<Value, Part> & Sendable, fileID: StaticString = #fileID, line: UInt = #line,
    _ action: @escaping @MainActor @Sendable (Part) -> Action
  ) -> (get: @MainActor @Sendable () -> Part, set: @MainActor @Sendable (Part) -> Void) {
    (
      get: { self.value[keyPath: part] },
      set: { self.sendAndWait(action($0), fileID: fileID, line: line) }
    )
  }

  private func show(_ value: Value) {
    if self.value != value { self.value = value }
  }

  @MainActor private final class Receiver: ViewComponent {
    var props: Value { didSet { update(props) } }
    var update: @MainActor (Value) -> Void = { _ in }

    init(_ props: Value) { self.props = props }
  }
}
#endif
