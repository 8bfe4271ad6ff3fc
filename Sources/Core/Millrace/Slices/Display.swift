/// A receiver of the values of a slice, with its last value and the value that waits for it. Components, views and
/// sequences of values are subclasses.
///
/// | field | guarded by |
/// |---|---|
/// | all that varies, except the fields of every connection | the lock of the displays |
///
/// A subclass overrides the methods for its own kind. The other methods do nothing.
class Display: Connected, @unchecked Sendable {  // guarded as in the table
  /// The lane on which its updates are made.
  enum Lane {
    /// In a task of the store.
    case task
    /// On the main actor.
    case main
    /// By a consumer that takes the newest value when it asks for it.
    case consumer
  }

  final let lane: Lane
  /// Whether `settled()` waits for its updates.
  final var isCounted: Bool { !isLongRunning || hasLast }
  /// Whether tasks wait until no update is in progress.
  final var isAwaited = false
  final var conflation = Conflation()
  /// The box with the newest value, if it has not been taken.
  final var next: AnyObject?
  /// The box that was taken last.
  final var given: AnyObject?
  /// The number of updates begun, which identifies the one in progress. Does not change while an update is in progress.
  final var updates: UInt64 = 0

  init(_ entry: Entry, _ lane: Lane) {
    self.lane = lane
    super.init(entry)
  }

  override final var ownWork: Int { conflation.isActive ? 1 : 0 }
  override final var workNotes: [WorkNote] {
    let text = lane == .main ? "props" : "update"
    return conflation.isActive ? [WorkNote(phase: .running) { text }] : []
  }
  override final func enter(_ lists: inout NodeConnections) { lists.displays.enter(self) }
  override final func leave(_ lists: inout NodeConnections) { lists.displays.leave(self) }

  /// Whether the values in two boxes are equal.
  func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool { left === right }

  /// Gives the value in the box to a component. Returns when its update has ended.
  func update(with box: AnyObject) async {}

  /// Gives the value in the box to a view.
  ///
  /// - Returns: whether the view still exists.
  @MainActor func show(_ box: AnyObject) -> Bool { true }

  /// Whether it is a view that was released. Callable from anywhere.
  var isGone: Bool { false }

  /// Gives the value in the box to a sequence.
  ///
  /// - Parameter released: gets the value that the new one replaces.
  /// - Returns: a function that wakes a waiting consumer. Call it with no lock held.
  func record(_ box: AnyObject, _ released: ReleasedValues) -> (@Sendable () -> Void)? { nil }

  /// Ends a sequence with its connection.
  ///
  /// - Returns: a function that wakes a waiting consumer.
  func recordEnd() -> (@Sendable () -> Void)? { nil }
}

/// The displays of one slice, and the box with its newest value.
struct DisplayBatch {
  let box: AnyObject
  let displays: [Display]
}
