/// An observer of a store in its place.
final class EventTap: Tap, @unchecked Sendable {  // immutable
  private unowned let engine: Engine  // which owns this while it is connected, and is owned by its handle
  private let feed: ObserverFeed<StoreEvent>

  init(_ observer: some StoreObserver, _ entry: Entry, in engine: Engine) {
    self.engine = engine
    feed = ObserverFeed { observer.observe($0) }
    super.init(entry)
  }

  func record(_ event: StoreEvent) { feed.append(event, of: self, in: engine) }

  override func connectionBegan() { engine.add(self) }

  override func connectionEnded() {
    engine.remove(self)
    feed.end(of: self, in: engine)
  }

  override var ownWork: Int { feed.isServing ? 1 : 0 }
  override func forget() -> Any? { feed.forget() }
}
