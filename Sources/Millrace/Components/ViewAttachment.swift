/// A view in its place, held weakly.
///
/// `place`, `conflation` and `isCounted` are guarded by the engine's turn lock; everything else is immutable.
final class ViewAttachment<V: ViewComponent>: Attachment, CountedWork, ServedOnMain, @unchecked Sendable {
  // see above
  let place: Place
  var isCounted = false
  private weak let view: V?
  private var conflation = Conflation<V.Props>()

  init(_ view: V, at place: Place) {
    self.place = place
    self.view = view
  }

  var scope: Scope { place.scope }
  var isGone: Bool { view == nil }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    sliceChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    if isGone { return engine.viewWasLost(outcome) }
    guard conflation.valueArrived(slice.assumingMemoryBound(to: V.Props.self).pointee) else { return }
    isCounted = true
    engine.count(scope, by: 1)
    engine.serveOnMain(self, outcome)
  }

  @MainActor func serve(_ engine: Engine) {
    while let props = next(engine) {
      guard let view else { continue }
      view.props = props
    }
  }

  private func next(_ engine: Engine) -> V.Props? {
    engine.locked { _ in
      if scope.any(\.isEnded) { conflation.connectionEnded() }
      let props = conflation.servingAdvanced()
      if props == nil {
        isCounted = false
        engine.count(scope, by: -1)
        engine.workEnded(of: self)
      } else {
        engine.emitUpdate(place)
      }
      return props
    }
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
  @MainActor func serve(_ engine: Engine)
}

/// The views that have new props, served together in one job of the main actor. Guarded by the turn lock.
struct ViewQueue {
  var waiting: [any ServedOnMain] = []
  var isScheduled = false
  /// Connected views, and how many may be connected before the dead among them are looked for.
  var count = 0
  var sweepLimit = 64
  var isSweepDue = false
}

extension Engine {
  func serveOnMain(_ view: any ServedOnMain, _ outcome: Outcome) {
    tables.views.waiting.append(view)
    if tables.views.isScheduled { return }
    tables.views.isScheduled = true
    outcome.deliver { [weak self] in
      Task { @MainActor in self?.serveViews() }
    }
  }

  @MainActor private func serveViews() {
    while true {
      let waiting = locked { _ in
        defer { tables.views.waiting = [] }
        if tables.views.waiting.isEmpty { tables.views.isScheduled = false }
        return tables.views.waiting
      }
      if waiting.isEmpty { return }
      for view in waiting { view.serve(self) }
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
