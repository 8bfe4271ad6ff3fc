/// A ``Keeper`` with the type of the value in which it finds its parts. All variables are guarded by the turn lock.
class PartKeeper<Whole: Sendable, WholeAction: Sendable, ID: Sendable>: Keeper,
  @unchecked Sendable  // its variables are guarded by the turn lock
{
  final unowned let engine: Engine  // the engine owns this, and the `Connection` owns the engine
  /// `nil` after the end of the connection; `connect` is then `nil` too.
  private(set) final var backend: Backend<Whole, WholeAction>?
  /// Calls the user's closure with a store of the part.
  private(set) final var connect: ((ID, Life) -> Void)?

  init(
    _ entry: Entry, at backend: Backend<Whole, WholeAction>, in engine: Engine,
    connect: @escaping (ID, Life) -> Void
  ) {
    self.backend = backend
    self.engine = engine
    self.connect = connect
    super.init(entry)
  }

  override func forget() -> Any? {
    defer { (connect, backend) = (nil, nil) }
    return connect.map { ($0, backend) }
  }
}
