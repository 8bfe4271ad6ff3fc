/// A component, a view or a sequence in its place: what it got last and what waits for it.
///
/// | field | guarded by |
/// |---|---|
/// | all that varies, but for what every attachment has | the lock of the update line |
final class Display: Attachment, @unchecked Sendable {  // guarded as in the table
  /// Where its updates are made.
  enum Lane {
    /// In a task of the store's.
    case task
    /// On the main actor.
    case main
    /// By a consumer that takes the newest value when it wants to.
    case consumer
  }

  /// What is given the values.
  enum Target: Sendable {
    case component(any Updater)
    case view(any Viewer)
    case sequence(any SequenceSink)
  }

  /// Beside the target: a look at the payload of an enum counts references.
  let lane: Lane
  /// Whether `settled()` waits for its updates.
  var isCounted: Bool
  var conflation = Conflation()
  /// The box with the newest value, if it has not been taken.
  var next: AnyObject?
  /// The box that was taken last.
  var given: AnyObject?
  /// How many updates were begun; tells one update from another. Does not change while one is under way.
  var updates: UInt64 = 0
  /// `nil` once the connection has ended and nothing of it is under way: the component is not kept. Does not change while
  /// an update is under way.
  var target: Target?

  init(
    id: UInt64, label: Label, site: CallSite, scope: Scope, isBackground: Bool, _ target: Target
  ) {
    lane =
      switch target {
      case .component: .task
      case .view: .main
      case .sequence: .consumer
      }
    self.target = target
    isCounted = !isBackground
    super.init(id: id, label: label, site: site, scope: scope, role: .display, isBackground: isBackground)
  }

  override var asDisplay: Display? { self }
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

  var isEmpty: Bool { values.isEmpty }

  func append(_ value: AnyObject) {
    // Moved out meanwhile, as in `Node`.
    var moved = values
    values = []
    moved.append(value)
    values = moved
  }

  func append(contentsOf others: [AnyObject]) {
    if !others.isEmpty { values += others }
  }

  /// Moves the values out, for the caller to release.
  func take() -> [AnyObject] {
    if values.isEmpty { return [] }
    defer { values = [] }
    return values
  }
}

/// What gives the value in a box to a component or a view.
protocol BoxReceiver: AnyObject, Sendable {
  /// Whether the values in two boxes are equal.
  func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool
}

/// A component.
protocol Updater: BoxReceiver {
  /// Returns once the update with the value in the box has ended.
  func update(_ box: AnyObject) async
}

/// A view, held weakly.
protocol Viewer: BoxReceiver {
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
