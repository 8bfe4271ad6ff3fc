/// The handle to one component's place in one store.
///
/// Forgetting a connection ends nothing: the store keeps an effect or a component until it is disconnected, its
/// scope ends, or the store goes. A connection keeps neither the store nor the component alive.
public final class Connection: Sendable {
  private let place: Place
  private weak let engine: Engine?

  init(_ attachment: any Attachment, in engine: Engine) {
    place = attachment.place
    self.engine = engine
  }

  /// Which connection it is, as in events and activity lists.
  public var identity: ConnectionIdentity { place.identity }

  /// Ends the connection: its runs are stopped and fenced, and nothing that they sent which is not reduced by
  /// now ever is.
  ///
  /// After it returns no new `update` is committed; one that another thread had committed before may still be
  /// seen to start. For a view that is disconnected on the main actor, and inside a component's own update, none
  /// is. Callable from anywhere, any number of times; may wait for the turn that goes on to end.
  public func disconnect() {
    guard let engine else { return }
    engine.locked { outcome in
      if let attachment = place.attachment { engine.end(attachment, outcome) }
    }
  }

  /// Returns when the connection has ended and every run and update of it has returned, or when the task is
  /// cancelled. Called inside a run or an update, it does not wait for that one, nor for what waits for that one in the
  /// same way.
  public func finished() async {
    guard let engine else { return }
    await engine.wait(until: .finished(place))
  }

  /// Keeps the connection in `bag`, which disconnects it with the others.
  @discardableResult
  public func store(in bag: ConnectionBag) -> Self {
    bag.insert(self)
    return self
  }
}
