/// A component in its place: the shell around its conflation.
///
/// `place`, `conflation` and `isCounted` are guarded by the engine's turn lock; everything else is immutable.
final class ComponentAttachment<C: Component>: Attachment, CountedWork, @unchecked Sendable {  // see above
  var place: Place
  var isCounted = false
  private let component: C
  private let priority: TaskPriority?
  private var conflation = Conflation<C.Props>()
  private weak let engine: Engine?

  init(_ component: C, at place: Place, priority: TaskPriority?, engine: Engine) {
    self.place = place
    self.component = component
    self.priority = priority
    self.engine = engine
  }

  var scope: Scope { place.scope }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    sliceChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    guard conflation.valueArrived(slice.assumingMemoryBound(to: C.Props.self).pointee) else { return }
    isCounted = !place.isBackground
    if isCounted { engine.count(scope, by: 1) }
    outcome.deliver { [self] in
      Task.detached(priority: priority) { await self.serve() }
    }
  }

  /// Hands over one value after the other until none is left.
  private func serve() async {
    await CurrentWork.$work.withValue(self) {
      while let props = next() { await component.update(props) }
    }
  }

  /// The next props to commit. What ended before this looked is not committed.
  private func next() -> C.Props? {
    guard let engine else { return nil }
    return engine.locked { _ in
      if scope.any(\.isEnded) { conflation.connectionEnded() }
      let props = conflation.servingAdvanced()
      if props == nil {
        if isCounted { engine.count(scope, by: -1) }
        isCounted = false
        engine.workEnded(of: self)
      } else {
        engine.emitUpdate(place)
      }
      return props
    }
  }

  func ended(_ engine: Engine, _ outcome: Outcome) {
    conflation.connectionEnded()
    if conflation.isServing, !isCounted {
      isCounted = true  // what is under way is waited for, even where the component is not
      engine.count(scope, by: 1)
    }
  }

  var work: [any CountedWork] { conflation.isServing ? [self] : [] }

  var activity: [StoreActivity.Work] {
    guard conflation.isServing else { return [] }
    return [StoreActivity.Work(phase: .running, generation: nil, request: "update")]
  }
}
