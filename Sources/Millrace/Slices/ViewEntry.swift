/// The entry of a connected view.
///
/// | field | guarded by |
/// |---|---|
/// | all that varies, but for what every attachment has | the lock of the update line |
class ViewEntry: Attachment, @unchecked Sendable {  // the table says by what
  /// Its place in line, while it is connected.
  final var group: ViewGroup?
  /// The box with the value that it was shown last.
  final var given: AnyObject?
  final var isBeingShown = false
  /// Whether its connection has ended.
  final var isOff = false

  init(_ entry: Entry) { super.init(entry, .view) }

  override final var asView: ViewEntry? { self }

  /// Whether the values in two boxes are equal.
  func areEqual(_ left: AnyObject, _ right: AnyObject) -> Bool { left === right }

  /// Gives it the value in the box.
  ///
  /// - Returns: whether the view is still there.
  @MainActor func show(_ box: AnyObject) -> Bool { true }

  /// Whether nobody holds the view any more. Callable from anywhere.
  var isGone: Bool { false }
}

/// The place in line of the views that were connected to one slice through one store: they wait together for its newest
/// value, and are shown it one after the other. Guarded by the lock of the update line.
final class ViewGroup {
  let scope: Scope
  /// The box with the newest value, while views wait for it.
  var next: AnyObject?
  /// The views that wait for it.
  var waiting: [ViewEntry] = []
  /// How many of its views have not ended.
  var count = 0
  /// Whether its views are being shown a value.
  var isShown = false
  /// Whether its scope counts it.
  var isCounted = false

  init(_ scope: Scope) { self.scope = scope }
}
