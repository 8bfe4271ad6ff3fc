/// A view in its place, held weakly.
///
/// | field | guarded by |
/// |---|---|
/// | `place`, `conflation`, `isCounted` | the engine's turn lock |
/// | `current` | the main actor, from the commitment of an update to its end |
/// | everything else | immutable |
final class ViewAttachment<V: ViewComponent>:
  Attachment, CountedWork, ServedOnMain, @unchecked Sendable  // each field has the guard in the table
{
  let place: Place
  private weak let view: V?
  private var conflation = Conflation<V.Props>()
  var isCounted = false
  /// The props of the update that is committed.
  private var current: UnsafePointer<V.Props>?

  init(_ view: V, at place: Place) {
    self.place = place
    self.view = view
  }

  deinit { conflation.destroy() }

  var scope: Scope { place.scope }
  var isGone: Bool { view == nil }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    sliceChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    if isGone { return engine.viewWasLost(outcome) }
    guard conflation.valueArrived(slice.assumingMemoryBound(to: V.Props.self)) else { return }
    isCounted = true
    engine.count(scope, by: 1)
    engine.serveOnMain(self, outcome)
  }

  func commitNext(_ engine: Engine) -> Bool {
    // What ended before this look is not committed.
    if scope.any(\.isEnded) { conflation.connectionEnded() }
    current = conflation.servingAdvanced()
    if current != nil {
      engine.emitUpdate(place)
      return true
    }
    isCounted = false
    engine.count(scope, by: -1)
    engine.workEnded(of: self)
    return false
  }

  @MainActor func show() {
    guard let current else { preconditionFailure("an update is committed before it is shown") }
    view?.props = current.pointee
  }

  func ended(_ engine: Engine, _ outcome: Outcome) { conflation.connectionEnded() }

  var work: [any CountedWork] { conflation.isServing ? [self] : [] }

  var activity: [StoreActivity.Work] {
    guard conflation.isServing else { return [] }
    return [StoreActivity.Work(phase: .running, generation: nil, request: "props")]
  }
}

/// What waits for the main actor.
protocol ServedOnMain: AnyObject, Sendable {
  /// Takes its next props; `false` if there are none, and its serving has ended. The turn lock must be held.
  func commitNext(_ engine: Engine) -> Bool
  /// Makes the update that was committed. Called with no lock held.
  @MainActor func show()
}

/// The views that have new props, served together in one job of the main actor. Guarded by the turn lock.
struct ViewQueue {
  private var waiting: [any ServedOnMain] = []
  private var next = 0
  var isScheduled = false
  /// Connected views, and how many may be connected before the dead among them are looked for.
  var count = 0
  var sweepLimit = 64
  var isSweepDue = false

  mutating func viewArrived(_ view: any ServedOnMain) { waiting.append(view) }

  mutating func nextWaiting() -> (any ServedOnMain)? {
    if next == waiting.count {
      waiting.removeAll(keepingCapacity: waiting.count <= 1024)
      next = 0
      return nil
    }
    defer { next += 1 }
    return waiting[next]
  }
}

extension Engine {
  func serveOnMain(_ view: any ServedOnMain, _ outcome: Outcome) {
    tables.views.viewArrived(view)
    if tables.views.isScheduled { return }
    tables.views.isScheduled = true
    outcome.deliver { [weak self] in
      Task.detached { @MainActor in self?.serveViews() }
    }
  }

  @MainActor private func serveViews() {
    var shown: (any ServedOnMain)?
    while let view = nextView(after: shown) {
      view.show()
      shown = view
    }
  }

  /// The next view to update; `nil` if nobody waits. One that has got new props while it was updated goes first.
  private func nextView(after shown: (any ServedOnMain)?) -> (any ServedOnMain)? {
    locked { _ in
      if let shown, shown.commitNext(self) { return shown }
      while let view = tables.views.nextWaiting() {
        if view.commitNext(self) { return view }
      }
      tables.views.isScheduled = false
      return nil
    }
  }

  /// A view was connected. Looks for dead ones whenever their number may have doubled, so that views which come
  /// and go on a slice that never changes leave nothing.
  func viewWasConnected(_ outcome: Outcome) {
    tables.views.count += 1
    if tables.views.count >= tables.views.sweepLimit { viewWasLost(outcome) }
  }

  /// Some view is gone: disconnects all that are, in a turn of their own, as the tree may be in use.
  func viewWasLost(_ outcome: Outcome) {
    if tables.views.isSweepDue { return }
    tables.views.isSweepDue = true
    outcome.deliver { [weak self] in
      guard let self else { return }
      locked { outcome in
        tables.views.isSweepDue = false
        var alive = 0
        var dead: [any Attachment] = []
        tables.tree.forEachAttachment { attachment in
          if attachment.isGone { dead.append(attachment) }
          if attachment is any ServedOnMain { alive += 1 }
        }
        for attachment in dead { end(attachment, outcome) }
        tables.views.count = alive - dead.count
        tables.views.sweepLimit = max(64, tables.views.count * 2)
      }
    }
  }
}
