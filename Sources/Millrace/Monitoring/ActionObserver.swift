/// An action observer in its place.
final class ActionObserverAttachment<State: Sendable, Action: Sendable>:
  Attachment, ActionTap, @unchecked Sendable  // `place` is guarded by the turn lock
{
  let place: Place
  private let feed: ObserverFeed<(Action, State)>
  private let backend: any StoreBackend<State, Action>
  private weak let engine: Engine?

  init(
    at place: Place, backend: any StoreBackend<State, Action>, engine: Engine,
    _ observe: @escaping @Sendable (Action, State) -> Void
  ) {
    self.place = place
    self.backend = backend
    self.engine = engine
    feed = ObserverFeed(at: place) { observe($0.0, $0.1) }
  }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    backend.add(self, in: engine)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {}

  func reduced(_ action: Action, _ state: State, _ outcome: Outcome) {
    if let engine, place.phase == .connected { feed.append((action, state), engine, outcome) }
  }

  func ended(_ engine: Engine, _ outcome: Outcome) {
    backend.remove(self, in: engine)
    feed.end()
  }

  var work: [any CountedWork] { feed.isServing ? [feed] : [] }
  var activity: [StoreActivity.Work] { [] }
  var isWitness: Bool { true }
}
