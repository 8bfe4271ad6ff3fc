/// A view in its place, without its type, which costs time where many are handled. Served together with all views of
/// its slice.
///
/// | field | guarded by |
/// |---|---|
/// | `place`, `group`, `hasEnded` | the engine's turn lock |
/// | everything else | immutable |
class ViewMember: GroupedDisplay, CountedWork, @unchecked Sendable {  // each field has the guard in the table
  let place: Place
  /// The views of its slice, of which it is, or was, one.
  fileprivate(set) var group: ViewGroup?
  /// Whether its connection has ended.
  final private(set) var hasEnded = false

  init(at place: Place) { self.place = place }

  var isGone: Bool { preconditionFailure("a view has a type") }

  /// - Returns: whether the view is still there.
  @MainActor func show(_ props: UnsafeRawPointer) -> Bool { preconditionFailure("a view has a type") }

  /// Makes a group for views of its kind.
  func makeGroup() -> ViewGroup { preconditionFailure("a view has a type") }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    group?.viewArrived(self, slice, engine, outcome)
    engine.viewWasConnected(outcome)
  }

  /// Its group is told instead.
  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {}

  func join(_ group: (any DisplayGroup)?) -> any DisplayGroup {
    let views = group as? ViewGroup ?? makeGroup()
    views.add(self)
    self.group = views
    return views
  }

  func ended(_ engine: Engine, _ outcome: Outcome) {
    hasEnded = true
    engine.tables.views.showing?.viewEnded()
  }

  final var scope: Scope { place.scope }
  /// Its group is counted instead.
  final var isCounted: Bool { false }
  /// Whether it is about to get its props, or is getting them.
  private var isCommitted: Bool { group?.isCommitted(self) ?? false }
  var work: [any CountedWork] { isCommitted ? [self] : [] }

  var activity: [StoreActivity.Work] {
    guard isCommitted || group?.isServing ?? false else { return [] }
    return [StoreActivity.Work(phase: .running, generation: nil, request: "props")]
  }
}

/// A view in its place, held weakly.
final class ViewAttachment<V: ViewComponent>: ViewMember, @unchecked Sendable {  // adds what is immutable
  private weak let view: V?

  init(_ view: V, at place: Place) {
    self.view = view
    super.init(at: place)
  }

  override var isGone: Bool { view == nil }

  override func show(_ props: UnsafeRawPointer) -> Bool {
    guard let view else { return false }
    view.props = props.assumingMemoryBound(to: V.Props.self).pointee
    return true
  }

  override func makeGroup() -> ViewGroup { TypedViewGroup<V.Props>() }
}
