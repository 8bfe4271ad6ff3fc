/// An observer of a store in its place.
final class EventTap: Tap, @unchecked Sendable {  // `observer` is guarded by the turn lock
  private unowned let engine: Engine  // which owns this while it is connected, and is owned by its handle
  private let feed = ObserverFeed()
  /// `nil` once the connection has ended and all was told.
  private var observer: (any StoreObserver)?

  init(_ observer: some StoreObserver, _ entry: Entry, in engine: Engine) {
    self.engine = engine
    self.observer = observer
    super.init(entry)
  }

  func record(_ event: StoreEvent) {
    if let observer { feed.append(of: self, in: engine) { observer.observe(event) } }
  }

  override func connectionBegan() { engine.add(self) }

  override func connectionEnded() {
    engine.remove(self)
    feed.end(of: self, in: engine)
  }

  override var ownWork: Int { feed.isServing ? 1 : 0 }
  override func forget() -> Any? { observer.take() }
}
