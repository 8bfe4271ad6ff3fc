/// A set of connections that end together: when `disconnect()` is called, or when the last reference to the bag is
/// released.
///
/// ```swift
/// let bag = ConnectionBag()
/// store.connect(ClockEffect()).store(in: bag)
/// store.connect(SaveEffect()).store(in: bag)
/// bag.disconnect()
/// ```
public final class ConnectionBag: Sendable {
  private let connections = Lock<[Connection]>([])

  /// Makes an empty bag.
  public init() {}

  deinit { disconnect() }

  /// Adds a connection. Callable from anywhere.
  public func insert(_ connection: Connection) {
    connections.withLock { $0.append(connection) }
  }

  /// Disconnects every connection in the bag and empties it. Callable from anywhere.
  public func disconnect() {
    for connection in take() { connection.disconnect() }
  }

  /// Disconnects every connection in the bag, and waits until each of their runs and updates has returned.
  ///
  /// Waits even if the calling task is cancelled. Called inside a run or an update, it does not wait for that one.
  public func disconnectAndFinish() async {
    let ended = take()
    for connection in ended { connection.disconnect() }
    for connection in ended { await connection.finished() }
  }

  private func take() -> [Connection] {
    connections.withLock { connections in
      defer { connections = [] }
      return connections
    }
  }
}
