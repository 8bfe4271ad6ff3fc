/// What is given the values of a slice, in its place: what it got last and what waits for it. A component, a view and a
/// sequence of values are each a class of their own, which overrides what differs.
///
/// | field | guarded by |
/// |---|---|
/// | all that varies, but for what every attachment has | the lock of the update line |
///
/// What a kind does not override is not called for it, or does nothing.
class Display: Attachment, @unchecked Sendable {  // guarded as in the table
  /// Where its updates are made.
  enum Lane {
    /// In a task of the store's.
    case task
    /// On the main actor.
    case main
    /// By a consumer that takes the newest value when it wants to.
    case consumer
  }

  final let lane: Lane
  /// Whether `settled()` waits for its updates.
  final var isCounted: Bool
  final var conflation = Conflation()
  /// The box with the newest value, if it has not been taken.
  final var next: AnyObject?
  /// The box that was taken last.
  final var given: AnyObject?
  /// How many updates were begun; tells one update from another. Does not change while one is under way.
  final var updates: UInt64 = 0

  init(_ entry: Entry, _ lane: Lane) {
    self.lane = lane
    isCounted = !entry.isBackground
    super.init(entry, .display)
  }

  override final var asDisplay: Display? { self }

  /// Whether the values in two boxes are equal.
  func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool { left === right }

  /// Gives the value in the box to a component. Returns once its update has ended.
  func update(with box: AnyObject) async {}

  /// Gives the value in the box to a view.
  ///
  /// - Returns: whether the view is still there.
  @MainActor func show(_ box: AnyObject) -> Bool { true }

  /// Whether it is a view that nobody holds any more. Callable from anywhere.
  var isGone: Bool { false }

  /// Gives the value in the box to a sequence.
  ///
  /// - Parameter replaced: gets a value that the new one replaces, to be released when no lock is held.
  /// - Returns: what wakes a consumer that waits, to be called with no lock held.
  func record(_ box: AnyObject, replaced: ReplacedValues) -> (@Sendable () -> Void)? { nil }

  /// The connection has ended.
  ///
  /// - Returns: what wakes a consumer that waits.
  func recordEnd() -> (@Sendable () -> Void)? { nil }

  /// Nothing of it is under way any more: it keeps its component no longer.
  ///
  /// - Returns: the component, to be released when no lock is held.
  func forget() -> AnyObject? { nil }
}

/// The displays that get a new value, collected from the tree.
struct DisplayBatch {
  /// The displays of one slice, and the box with its newest value.
  struct Slice {
    let box: AnyObject
    let displays: [Display]
  }

  var slices: [Slice] = []
  let replaced: ReplacedValues
}

/// Values of slices that newer ones have replaced, kept until no lock is held: their `deinit` may call anything.
///
/// An object, since values are replaced in the midst of everything. Used with the turn lock held.
final class ReplacedValues {
  private var values: [AnyObject] = []
  /// How many there were when they were last taken: so many will mostly come again.
  private var usualCount = 0

  var isEmpty: Bool { values.isEmpty }

  // Moved out while they are changed, everywhere, as in `Node`.

  func append(_ value: AnyObject) {
    var moved = values
    values = []
    if moved.isEmpty { moved.reserveCapacity(min(usualCount, 1024)) }
    moved.append(value)
    values = moved
  }

  /// Moves the values out, for the caller to release.
  func take() -> [AnyObject] {
    if values.isEmpty { return [] }
    let taken = values
    values = []
    usualCount = taken.count
    return taken
  }
}
