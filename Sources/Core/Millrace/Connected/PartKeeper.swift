/// A ``Keeper`` with the types of the value that it watches and of the parts in it. All variables are guarded by the turn
/// lock.
class PartKeeper<Whole: Sendable, WholeAction: Sendable, ID: Sendable, Part: Equatable & Sendable>: Keeper,
  @unchecked Sendable  // its variables are guarded by the turn lock
{
  final unowned let engine: Engine  // the engine owns this, and the `Connection` owns the engine
  /// `nil` after the end of the connection, as the two below.
  private(set) final var backend: Backend<Whole, WholeAction>?
  /// Calls the user's closure with a store of the part.
  private(set) final var connect: ((ID, Lifetime<Part>) -> Void)?
  /// `nil` before the connection has its node.
  private(set) final var whole: WatchedNode<Whole>?

  init(
    _ entry: Entry, at backend: Backend<Whole, WholeAction>, in engine: Engine,
    connect: @escaping (ID, Lifetime<Part>) -> Void
  ) {
    self.backend = backend
    self.engine = engine
    self.connect = connect
    super.init(entry)
  }

  override final func findNode() -> Node? {
    whole = backend?.node(engine)
    return whole?.node
  }

  override func forget() -> Any? {
    defer { (connect, backend, whole) = (nil, nil, nil) }
    return connect.map { ($0, backend, whole) }
  }
}
