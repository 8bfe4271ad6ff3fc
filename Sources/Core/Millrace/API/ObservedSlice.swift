#if canImport(Observation)
public import Observation

/// A slice of a store's state as an `@Observable` model on the main actor, for SwiftUI and for any other code that
/// uses `withObservationTracking`.
///
/// ```swift
/// let counter = ObservedSlice(store.scope(\.counter, action: AppAction.counter))
/// counter.dispatch(.incremented)
/// ```
///
/// The model is connected when it is made, and disconnected when its last reference is released. It keeps its store
/// alive.
@Observable @MainActor public final class ObservedSlice<Value: Equatable & Sendable, Action: Sendable> {
  /// The newest value that the main actor has received. Observation tracks reads of it. It is set only to a value that
  /// differs from the one before. Values may be skipped, but never the last one.
  public private(set) var value: Value
  @ObservationIgnored private let store: Store<Value, Action>
  /// The view component, which the store holds weakly.
  @ObservationIgnored private let receiver: Receiver

  /// Makes a model of a store's state. Scope the store to the slice that the views need.
  ///
  /// Reads the state once, and connects. Costs as much as a ``ViewComponent``: one comparison of the slice per drained
  /// batch. For each change the main actor also reads the store's state, which blocks for a few turns if turns are
  /// being made. The store keeps the slice's last value, so the next change of an array in the slice copies that array.
  public init(_ store: Store<Value, Action>, fileID: StaticString = #fileID, line: UInt = #line) {
    let state = store.state
    self.store = store
    value = state
    receiver = Receiver(state)
    // Shows the store's state instead of the received value: `dispatchAndWait` may have shown a newer value while this
    // one waited for the main actor.
    receiver.update = { [weak self] in self.map { $0.show($0.store.state) } }
    store.connect(receiver, named: "ObservedSlice<\(Value.self)>", fileID: fileID, line: line)
  }

  /// Sends an action and returns at once. ``value`` changes after the action has been reduced, as soon as the main
  /// actor is free.
  ///
  /// - Returns: `false` if the action was refused because the store was shut down.
  @discardableResult
  public func dispatch(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
    store.dispatch(action, fileID: fileID, line: line)
  }

  /// Sends an action and returns when it is reduced and ``value`` shows it. Use it for a text field, which must show
  /// at once what was typed.
  ///
  /// Reduces on the main thread, together with the actions that were accepted before.
  public func dispatchAndWait(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
    store.dispatchAndWait(action, fileID: fileID, line: line)
    show(store.state)
  }

  /// A pair of closures that read a part of the value and send a change of it, in the form that SwiftUI's
  /// `Binding(get:set:)` takes.
  ///
  /// ```swift
  /// let query = search.binding(\.query) { .queryChanged($0) }
  /// query.set("swift")
  /// ```
  ///
  /// - Parameters:
  ///   - part: the key path of the part.
  ///   - action: makes the action that reports the new value of the part. The action is sent by
  ///     ``dispatchAndWait(_:fileID:line:)``.
  public func binding<Part>(
    _ part: any KeyPath<Value, Part> & Sendable, fileID: StaticString = #fileID, line: UInt = #line,
    _ action: @escaping @MainActor @Sendable (Part) -> Action
  ) -> (get: @MainActor @Sendable () -> Part, set: @MainActor @Sendable (Part) -> Void) {
    (
      get: { self.value[keyPath: part] },
      set: { self.dispatchAndWait(action($0), fileID: fileID, line: line) }
    )
  }

  private func show(_ value: Value) {
    if self.value != value { self.value = value }
  }

  @MainActor private final class Receiver: ViewComponent {
    var props: Value { didSet { update() } }
    var update: @MainActor () -> Void = {}

    init(_ props: Value) { self.props = props }
  }
}
#endif
