/// The handle to one component's place in one store.
///
/// Forgetting a connection ends nothing: the store keeps an effect or a component until it is disconnected, its
/// scope ends, or the store goes. A connection keeps neither the store nor the component alive.
public final class Connection: Sendable {
  private let attachment: Attachment
  private let link: EngineLink

  init(_ attachment: Attachment, in engine: Engine) {
    self.attachment = attachment
    link = engine.link
  }

  /// Which connection it is, as in events and activity lists.
  public var identity: ConnectionIdentity { attachment.identity }

  /// Ends the connection: its runs are stopped and fenced, and nothing that they sent which is not reduced by
  /// now ever is.
  ///
  /// After it returns no new `update` is committed; one that another thread had committed before may still be
  /// seen to start. For a view that is disconnected on the main actor, and inside a component's own update, none
  /// is. Callable from anywhere, any number of times. Blocks while a few turns are made, if any are in
  /// progress.
  public func disconnect() {
    guard let engine = link.engine else { return }
    engine.locked { engine.end(attachment) }
  }

  /// Returns when the connection has ended and every run and update of it has returned; of a lifetime's connection, also
  /// those of everything that was connected through it.
  ///
  /// Waits whether or not the calling task is cancelled. Called inside a run or an update, it does not wait for that
  /// one, nor for what waits for that one in the same way.
  public func finished() async {
    guard let engine = link.engine else { return }
    await engine.wait(until: .finished(attachment), isCancellable: false)
  }

  /// Keeps the connection in `bag`, which disconnects it with the others.
  @discardableResult
  public func store(in bag: ConnectionBag) -> Self {
    bag.insert(self)
    return self
  }
}
