/// A value with its earlier versions, for undo, and the versions that were undone, for redo.
///
/// ```swift
/// struct Sketch: Equatable, Sendable {
///   var strokes = Undoable([Stroke](), limit: 20)
/// }
/// ```
///
/// Put only data that undo should restore into the value; the result of a lookup, for example, belongs beside it. A
/// version costs the memory that it does not share with the next one. If there are more than `limit` versions, the
/// oldest is dropped.
public struct Undoable<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The current value. Setting it records no version.
  public var present: Value
  /// The earlier versions, the oldest first.
  public private(set) var past: [Value] = []
  /// The versions that were undone; the last one is the next to redo.
  public private(set) var future: [Value] = []
  /// The largest number of earlier versions that are kept.
  public let limit: Int

  /// Makes a value without earlier versions.
  ///
  /// - Precondition: `limit` is greater than zero.
  public init(_ present: Value, limit: Int = 100) {
    precondition(limit > 0, "an undoable value keeps at least one version")
    self.present = present
    self.limit = limit
  }

  /// Makes a value in any condition, for tests.
  public init(present: Value, past: [Value], future: [Value], limit: Int) {
    self.init(present, limit: limit)
    (self.past, self.future) = (past, future)
  }

  /// Whether there is an earlier version to restore.
  public var canUndo: Bool { !past.isEmpty }

  /// Whether there is an undone version to restore.
  public var canRedo: Bool { !future.isEmpty }

  /// Changes the value. If it differs afterwards, records the previous version and forgets the undone versions.
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

  /// Restores the previous version; does nothing if there is none. O(1).
  public mutating func undo() {
    guard let before = past.popLast() else { return }
    future.append(present)
    present = before
  }

  /// Restores the last undone version; does nothing if there is none. O(1).
  public mutating func redo() {
    guard let next = future.popLast() else { return }
    past.append(present)
    present = next
  }

  /// Forgets all versions except the current one, such as after a sign-out.
  public mutating func forgetVersions() {
    past = []
    future = []
  }
}

extension Undoable: Encodable where Value: Encodable {}

extension Undoable: Decodable where Value: Decodable {
  /// Decodes a value with its versions.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the limit is not positive, or there are more versions than the limit.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let limit = try container.decode(Int.self, forKey: .limit)
    guard limit > 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .limit, in: container,
        debugDescription: "an undoable value keeps at least one version, not \(limit)")
    }
    self.init(try container.decode(Value.self, forKey: .present), limit: limit)
    past = try container.decode([Value].self, forKey: .past)
    future = try container.decode([Value].self, forKey: .future)
    let count = past.count + future.count
    guard count <= limit else {
      throw DecodingError.dataCorruptedError(
        forKey: .past, in: container, debugDescription: "\(count) versions, where at most \(limit) are kept")
    }
  }
}

/// An action on an ``Undoable`` value.
public enum UndoableAction<Action: Sendable>: Sendable {
  /// Restores the previous version.
  case undo
  /// Restores the last undone version.
  case redo
  /// Changes the value.
  case change(Action)
}

extension UndoableAction: Equatable where Action: Equatable {}
extension UndoableAction: Encodable where Action: Encodable {}
extension UndoableAction: Decodable where Action: Decodable {}

/// Returns a reducer that records the versions of the value that another reducer changes.
///
/// ```swift
/// let reduceStrokes = undoable(Sketch.reduceStrokes) { action in action != .selected }
/// ```
///
/// Call the result like any reducer, for instance in the `switch` of an app. The limit of versions belongs to the
/// value: ``Undoable/init(_:limit:)``.
///
/// - Parameters:
///   - reduce: the reducer of the value.
///   - isRecorded: whether an action records a version; by default each action that changes the value does. Any other
///     action changes only the current value.
public func undoable<Value, Action>(
  _ reduce: @escaping @Sendable (inout Value, Action) -> Void,
  where isRecorded: @escaping @Sendable (Action) -> Bool = { _ in true }
) -> @Sendable (inout Undoable<Value>, UndoableAction<Action>) -> Void {
  { state, action in
    switch action {
    case .undo: state.undo()
    case .redo: state.redo()
    case .change(let action) where isRecorded(action): state.record { reduce(&$0, action) }
    case .change(let action): reduce(&state.present, action)
    }
  }
}
