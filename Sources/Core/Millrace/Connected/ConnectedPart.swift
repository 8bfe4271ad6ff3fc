/// The life of one part of the state: its account and its place in the tree. Used with the turn lock held.
struct Lifetime<Part: Sendable> {
  let account: Account
  let place: WatchedNode<Part>
}

/// Calls the closure with the present part of a state, if the state has it.
typealias PartFinding<Whole, Part> = @Sendable (Borrowed<Whole>, (Borrowed<Part>) -> Void) -> Void

/// Looks at a single part of a slice. Used with the turn lock held.
struct PartLook<Whole: Sendable, Part: Sendable> {
  /// What has become of the part since it was last looked at.
  enum Change {
    case unchanged
    case changed
    /// There is none, or none any more.
    case gone
    /// There is one, or another one.
    case begun(WatchedNode<Part>)
  }

  let find: PartFinding<Whole, Part>
  /// The name of the optional slice; `nil` for the whole.
  let name: SliceName?
  /// Whether parts have ids, if their type has: one with another id is another part.
  let hasID: Bool
  /// Brings the node of the part up to date, if there is one.
  let look: (_ whole: WatchedNode<Whole>, _ node: Node?) -> Change

  /// The part is the whole itself, for as long as a condition of it holds.
  static func whileTrue(_ condition: @escaping @Sendable (borrowing Whole) -> Bool) -> PartLook
  where Part == Whole {
    let find: PartFinding<Whole, Part> = { whole, body in if whole.read(condition) { body(whole) } }
    return PartLook(find: find, name: nil, hasID: false) { whole, node in
      guard whole.value.borrowed.read(condition) else { return .gone }
      guard let node else {
        return .begun(WatchedNode(node: Node(wholeOf: whole.node), value: whole.value))
      }
      // The slice is the whole, which its own node has compared already.
      node.wasChanged()
      return .changed
    }
  }

  /// The part exists while an optional slice is present.
  ///
  /// - Parameter isSame: whether a value that replaces another goes on with its lifetime.
  static func whilePresent(
    _ optional: Projection<Whole, Part?>, isSame: @escaping (Part, Part) -> Bool
  ) -> PartLook where Part: Equatable {
    let find: PartFinding<Whole, Part> = { whole, body in
      optional.withPart(of: whole) { optional in
        if let part = optional.read({ copy $0 }) { Box(part).read(body) }
      }
    }
    // The slice as it was last looked at, so that one that has not changed is seen without unwrapping it.
    var last: Box<Part?>?
    let name = optional.name
    return PartLook(find: find, name: name, hasID: true) { whole, node in
      if let former = last {
        guard let box = optional.newBox(in: whole.value.borrowed, last: former) else { return .unchanged }
        whole.node.released.append(former)
        last = box
      } else {
        last = optional.box(in: whole.value.borrowed)
      }
      guard let part = last?.value else { return .gone }
      if let node = node as? SliceNode<Part>, node.borrowed.read({ isSame($0, part) }) {
        node.take(Box(part))
        return .changed
      }
      let node = SliceNode(holding: Box(part), under: whole.node) { _ in .present(name) }
      return .begun(WatchedNode(node: node, value: node))
    }
  }
}

/// A single part of a slice in its place: begins and ends its lifetimes. Everything that varies is guarded by the turn
/// lock.
final class ConnectedPart<Whole: Sendable, Part: Sendable>: Keeper,
  @unchecked Sendable  // what varies is guarded by the turn lock
{
  private unowned let engine: Engine  // which owns this while it is connected, and is owned by its handle
  private var part: PartLook<Whole, Part>?
  /// Calls the closure of the user's with a store of the part.
  private(set) var connect: ((Lifetime<Part>) -> Void)?
  /// `nil` before its place is found, and once the connection has ended, as `part` and `connect` then.
  var whole: WatchedNode<Whole>?
  private var lifetime: Lifetime<Part>?

  init(
    _ entry: Entry, in engine: Engine, _ part: PartLook<Whole, Part>,
    connect: @escaping (Lifetime<Part>) -> Void
  ) {
    self.engine = engine
    self.part = part
    self.connect = connect
    super.init(entry)
  }

  override func sliceChanged(at _: Node) {
    guard isServed, let part, let whole else { return }
    switch part.look(whole, lifetime?.place.node) {
    case .unchanged: break
    case .changed: lifetime?.place.node.serveWatchers()
    case .gone: endLifetime()
    case .begun(let place):
      endLifetime()
      beginLifetime(place)
    }
  }

  private func beginLifetime(_ place: WatchedNode<Part>) {
    // The look has called functions of the user's, which may have ended this.
    guard phase == .connected, let connect, !engine.isClosing(account, isOfPart: true) else { return }
    let lifetime = Lifetime(account: Account(parent: inner, isMortal: true), place: place)
    lifetime.account.place = place.node
    // On record before the closure is called, which may end it.
    self.lifetime = lifetime
    engine.beginPart { connect(lifetime) }
  }

  private func endLifetime() {
    guard let lifetime else { return }
    self.lifetime = nil
    engine.endParts(of: lifetime.account, at: [lifetime.place.node])
  }

  override var path: SlicePath? {
    guard let name = part?.name else { return super.path }
    return super.path?.appending(.slice(name))
  }

  override func connectionEnded() { endLifetime() }

  override func forget() -> Any? {
    defer { (part, connect, whole) = (nil, nil, nil) }
    return connect.map { ($0, part, whole) }
  }

  override func collectDisplays(_ batch: inout DisplayBatch) {
    lifetime?.place.node.collectDisplaysIfChanged(&batch)
  }

  override func forEachPart(_ body: (Node) -> Void) {
    if let lifetime { body(lifetime.place.node) }
  }
}
