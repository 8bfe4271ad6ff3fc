/// A connected observer of a store.
final class EventTap: Tap, @unchecked Sendable {  // `observer` is guarded by the turn lock
  private unowned let engine: Engine  // the engine owns this, and the `Connection` owns the engine
  private let feed = ObserverFeed()
  /// `nil` when the connection has ended and everything was delivered.
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
