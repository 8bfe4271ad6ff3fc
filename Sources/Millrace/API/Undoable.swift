/// A value with the versions that can be gone back to, and those that can be gone forward to again.
///
/// ```swift
/// struct Sketch: Equatable, Sendable {
///   var strokes = Undoable([Stroke](), limit: 20)
/// }
/// ```
///
/// Put only what an undo shall bring back into the value: what a lookup has answered belongs beside it. A version costs
/// what it does not share with the next one; the oldest version is dropped when there are more than `limit`.
public struct Undoable<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The value as it is. Setting it records no version.
  public var present: Value
  /// The versions that can be gone back to, the oldest first.
  public private(set) var past: [Value] = []
  /// The versions that can be gone forward to, the next one last.
  public private(set) var future: [Value] = []
  /// How many versions are kept in the past, at most.
  public let limit: Int

  /// Makes a value without a past.
  ///
  /// - Precondition: `limit` is greater than zero.
  public init(_ present: Value, limit: Int = 100) {
    precondition(limit > 0, "an undoable value keeps at least one version")
    self.present = present
    self.limit = limit
  }

  /// Whether there is a version to go back to.
  public var canUndo: Bool { !past.isEmpty }

  /// Whether there is a version to go forward to.
  public var canRedo: Bool { !future.isEmpty }

  /// Changes the value and records the version before, unless nothing has changed. Versions to go forward to are
  /// forgotten.
  ///
  /// - Complexity: that of `change` and of one comparison, and O(`limit`) once the limit is reached. An array in the
  ///   value is copied, since the recorded version keeps it.
  public mutating func record(_ change: (inout Value) -> Void) {
    let before = present
    change(&present)
    guard present != before else { return }
    if past.count == limit { past.removeFirst() }
    past.append(before)
    future = []
  }

  /// Goes back by one version; does nothing if there is none. O(1).
  public mutating func undo() {
    guard let before = past.popLast() else { return }
    future.append(present)
    present = before
  }

  /// Goes forward by one version; does nothing if there is none. O(1).
  public mutating func redo() {
    guard let next = future.popLast() else { return }
    past.append(present)
    present = next
  }

  /// Forgets all other versions, as after a sign-out.
  public mutating func forgetVersions() {
    past = []
    future = []
  }
}

/// An action on an ``Undoable`` value.
public enum UndoableAction<Action: Sendable>: Sendable {
  /// Go back by one version.
  case undo
  /// Go forward by one version.
  case redo
  /// An action that changes the value.
  case change(Action)
}

extension UndoableAction: Equatable where Action: Equatable {}

/// A reducer that records what another one changes.
///
/// ```swift
/// let reduceStrokes = undoable(Sketch.reduceStrokes) { action in action != .selected }
/// ```
///
/// The result is called like any reducer, as by the `switch` of an app. How many versions are kept is said where the
/// value is made: ``Undoable/init(_:limit:)``.
///
/// - Parameters:
///   - reduce: the reducer of the value.
///   - isRecorded: whether an action makes a version to go back to; by default each one that changes the value does.
///     Other actions change the present value alone.
public func undoable<Value, Action>(
  _ reduce: @escaping Reducer<Value, Action>,
  where isRecorded: @escaping @Sendable (Action) -> Bool = { _ in true }
) -> Reducer<Undoable<Value>, UndoableAction<Action>> {
  { state, action in
    switch action {
    case .undo: state.undo()
    case .redo: state.redo()
    case .change(let action) where isRecorded(action): state.record { reduce(&$0, action) }
    case .change(let action): reduce(&state.present, action)
    }
  }
}
