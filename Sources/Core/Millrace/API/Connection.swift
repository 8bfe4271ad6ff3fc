/// The handle to one component's place in one store.
///
/// Releasing a connection does not end it: the store keeps an effect or a component connected until it is
/// disconnected, its scope ends, or the store is released. A connection keeps neither the store's state nor the
/// component alive.
public final class Connection: Sendable {
  private let connected: Connected
  private let engine: Engine

  init(_ connected: Connected, in engine: Engine) {
    self.connected = connected
    self.engine = engine
  }

  /// The identity of this connection in events and activity lists.
  public var identity: ConnectionIdentity { connected.identity }

  /// Ends the connection: stops and fences its runs, and commits no further update.
  ///
  /// An action that one of its runs sent and that is not reduced when this returns is never reduced. An `update` that
  /// another thread had committed before may still start. None starts for a view that is disconnected on the main
  /// actor, nor when a component disconnects inside its own update.
  ///
  /// Callable from anywhere, any number of times. Blocks for a few turns if turns are being made; otherwise takes one
  /// lock.
  public func disconnect() {
    engine.locked { engine.end(connected) }
  }

  /// Waits until the connection has ended and each of its runs and updates has returned. For the connection of a
  /// lifetime, also waits for everything that was connected through it.
  ///
  /// Waits even if the calling task is cancelled. Called inside a run or an update, it does not wait for that one.
  public func finished() async {
    await engine.wait(until: .finished(connected), isCancellable: false, for: "finished()")
  }

  /// Waits until every action accepted before this call is reduced and no work of the connection is in progress. An
  /// observer has then received every event so far, a component has finished its update, and the runs of an effect have
  /// returned. For the connection of a lifetime, also waits for everything that was connected through it.
  ///
  /// Unlike ``Store/settled()``, it does not wait for other work of the store. Called inside a run or an update, it
  /// does not wait for that one. Returns early if the calling task is cancelled.
  public func settled() async {
    await engine.acceptedTurns(of: connected.account)
    await engine.wait(until: .idle(connected), isCancellable: true, for: "settled() of a connection")
  }

  /// Adds the connection to `bag`, which disconnects it together with its other connections.
  ///
  /// - Returns: this connection.
  @discardableResult
  public func store(in bag: ConnectionBag) -> Self {
    bag.insert(self)
    return self
  }
}
