/// A store observer in its place.
final class ObserverBinding: Binding {
  private unowned let engine: Engine  // which owns this while it is connected
  private let feed: ObserverFeed<StoreEvent>

  init(_ observer: any StoreObserver, at attachment: Attachment, in engine: Engine) {
    self.engine = engine
    feed = ObserverFeed(of: attachment) { observer.observe($0) }
  }

  func connected(_ attachment: Attachment, to node: Node) { engine.add(feed) }

  func ended(_ attachment: Attachment) {
    engine.remove(feed)
    feed.end(engine)
  }

  func workUnderWay(of attachment: Attachment) -> Int { feed.isServing ? 1 : 0 }
}

/// An observer of actions in its place.
final class ActionObserverBinding<State: Sendable, Action: Sendable>: Binding {
  private unowned let engine: Engine  // which owns this while it is connected
  private let feed: ObserverFeed<(Action, State)>
  private let tap: ActionTap<State, Action>

  init(
    _ feed: ObserverFeed<(Action, State)>, _ tap: ActionTap<State, Action>, in engine: Engine
  ) {
    self.feed = feed
    self.tap = tap
    self.engine = engine
  }

  func connected(_ attachment: Attachment, to node: Node) { tap.connected() }

  func ended(_ attachment: Attachment) {
    tap.ended()
    feed.end(engine)
  }

  func workUnderWay(of attachment: Attachment) -> Int { feed.isServing ? 1 : 0 }
}
