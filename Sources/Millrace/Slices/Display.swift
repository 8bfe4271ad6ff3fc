/// A component, a view or a sequence in its place: what it got last and what waits for it.
///
/// All that varies is guarded by the lock of the update line.
final class Display: @unchecked Sendable {  // guarded as said
  /// Where its updates are made.
  enum Lane: Sendable {
    /// By a task of the store's. The closure returns once the update has ended.
    case task(@Sendable (_ box: AnyObject) async -> Void)
    /// On the main actor.
    case main(any Viewer)
    /// By a consumer that takes the newest value when it wants to.
    case sequence(any SequenceSink)
    /// Nowhere any more: the connection has ended, and the component is not kept.
    case none
  }

  var lane: Lane
  /// The box with the newest value, if it has not been taken.
  var next: AnyObject?
  /// The box that was taken last.
  var given: AnyObject?
  /// Whether the values in two boxes are equal.
  let areEqual: @Sendable (_ left: AnyObject, _ right: AnyObject) -> Bool
  var conflation = Conflation()
  /// How many updates were begun; tells one update from another.
  var updates: UInt64 = 0
  /// Whether `settled()` waits for its updates.
  var isCounted: Bool

  init(
    _ lane: Lane, isBackground: Bool,
    areEqual: @escaping @Sendable (_ left: AnyObject, _ right: AnyObject) -> Bool
  ) {
    self.lane = lane
    self.areEqual = areEqual
    isCounted = !isBackground
  }
}

/// The displays that get a new value, collected from the tree.
struct DisplayBatch {
  /// The displays of one slice, and the box with its newest value.
  struct Slice {
    let box: AnyObject
    let displays: [Attachment]
  }

  var slices: [Slice] = []
  let replaced: ReplacedValues
}

/// Values of slices that newer ones have replaced, kept until no lock is held: their `deinit` may call anything.
///
/// An object, since values are replaced in the midst of everything. Used with the turn lock held.
final class ReplacedValues {
  private var values: [AnyObject] = []

  var isEmpty: Bool { values.isEmpty }
  func append(_ value: AnyObject) { values.append(value) }
  func append(contentsOf others: [AnyObject]) { values.append(contentsOf: others) }

  /// Moves the values out, for the caller to release.
  func take() -> [AnyObject] {
    if values.isEmpty { return [] }
    defer { values = [] }
    return values
  }
}

/// A view, held weakly.
protocol Viewer: AnyObject, Sendable {
  /// Shows the value in the box.
  ///
  /// - Returns: whether the view is still there.
  @MainActor func show(_ box: AnyObject) -> Bool
  /// Whether nobody holds the view any more. Callable from anywhere.
  var isGone: Bool { get }
}

/// The recording side of a sequence. Each call returns what wakes a consumer that waits, to be called with no lock held.
protocol SequenceSink: AnyObject, Sendable {
  ///
  /// - Parameter replaced: gets a value that the new one replaces, to be released when no lock is held.
  func arrived(_ box: AnyObject, replaced: inout [AnyObject]) -> (@Sendable () -> Void)?
  func ended() -> (@Sendable () -> Void)?
}
