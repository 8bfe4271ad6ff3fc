/// A component in its place: the shell around its conflation.
///
/// | field | guarded by |
/// |---|---|
/// | `place`, `conflation`, `isCounted` | the engine's turn lock |
/// | `current` | the server that has it, from the commitment of an update to its end |
/// | everything else | immutable |
final class ComponentAttachment<C: Component>:
  Attachment, ServedComponent, @unchecked Sendable  // each field has the guard in the table
{
  let place: Place
  private let component: C
  private var conflation = Conflation<C.Props>()
  var isCounted = false
  /// The props of the update that is committed.
  private var current: UnsafePointer<C.Props>?

  init(_ component: C, at place: Place) {
    self.place = place
    self.component = component
  }

  deinit { conflation.destroy() }

  var scope: Scope { place.scope }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    sliceChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    guard conflation.valueArrived(slice.assumingMemoryBound(to: C.Props.self)) else { return }
    isCounted = !place.isBackground
    if isCounted { engine.count(scope, by: 1) }
    engine.serve(self, outcome)
  }

  var hasNext: Bool { conflation.hasPending }

  func commitNext(_ engine: Engine) -> Bool {
    // What ended before this look is not committed.
    if scope.any(\.isEnded) { conflation.connectionEnded() }
    current = conflation.servingAdvanced()
    if current != nil {
      engine.emitUpdate(place)
      return true
    }
    if isCounted { engine.count(scope, by: -1) }
    isCounted = false
    engine.workEnded(of: self)
    return false
  }

  func update() async {
    guard let current else { preconditionFailure("an update is committed before it is made") }
    await CurrentWork.$work.withValue(self) { await component.update(current.pointee) }
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
