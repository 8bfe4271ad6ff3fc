import MillraceSpelling

/// One connection: the connected object, its node and its phase. Each kind is a subclass: an effect or another
/// ``Watcher``, a ``Keeper`` of parts, a ``Display``, a ``Tap``. It has no type parameters, since each turn iterates
/// over lists of it.
///
/// A `Connection` may keep it long after its end. It then no longer holds the user's object (`forget`).
///
/// | field | guarded by |
/// |---|---|
/// | `phase`, `node`, `index` | the turn lock |
/// | `hasLast` | the lock of the displays |
/// | everything else | immutable, unless a subclass says otherwise |
class Connected: HashedByIdentity, @unchecked Sendable {  // guarded as in the table
  enum Phase {
    /// Its connection waits in the mailbox, or for the end of the turn.
    case pending
    case connected
    case ended
  }

  /// What is known of a connection before it is made.
  struct Entry {
    let id: UInt64
    let label: Label
    let site: CallSite
    let account: Account
    /// Whether `settled()` does not wait for it.
    let isLongRunning: Bool
  }

  /// The account of everything that is connected through its parts.
  final let inner: Account?
  final var node: Node?
  /// Its index among the connections of its kind at its node.
  final var index = 0
  // The small fields are last, beside those of a display, since there may be a hundred thousand of these objects.
  final let entry: Entry
  final var phase = Phase.pending
  /// Whether a shutdown has given it its last value, or it has ended.
  final var hasLast = false

  init(_ entry: Entry, inner: Account? = nil) {
    self.entry = entry
    self.inner = inner
  }

  // MARK: What differs between the kinds. Called with the turn lock held.

  /// Finds its node; `nil` if its `Arrival` finds it.
  func findNode() -> Node? { nil }
  /// It has been added to its node, which has the current value of its slice.
  func connectionBegan() {}
  /// Its connection ends, perhaps before it was made. Stops and fences all runs.
  func connectionEnded() {}
  /// The number of its runs and updates that have not returned. The lock of the displays must be held too.
  var ownWork: Int { 0 }
  /// Its work in progress, asked for, and finished, for an activity list. The lock of the displays must be held too.
  var workNotes: [WorkNote] { [] }
  /// Returns the user's objects, to be released when no lock is held. Called when its connection has ended and none of
  /// its work is in progress. The lock of the displays must be held too.
  func forget() -> Any? { nil }
  /// The kind that decides when it ends, if many connections end together.
  var kind: ConnectionKind { .receiver }
  /// Appends itself to the list of its kind.
  func enter(_ lists: inout NodeConnections) {}
  /// Removes itself from the list of its kind.
  func leave(_ lists: inout NodeConnections) {}

  // MARK: What all kinds share

  final var id: UInt64 { entry.id }
  final var label: Label { entry.label }
  final var site: CallSite { entry.site }
  final var account: Account { entry.account }
  final var isLongRunning: Bool { entry.isLongRunning }
  final var partIDs: [AnyHashable] { account.partIDs }

  /// The path from the state to its slice; `nil` if it watches none.
  var path: SlicePath? { node?.path }
  final var identity: ConnectionIdentity {
    ConnectionIdentity(number: id, name: label.text, site: site, isInPart: account.isMortal)
  }

  /// Whether it acts on changes of its slice: it is connected, and its part of the state has not ended.
  final var isServed: Bool { phase == .connected && !account.isOver }

  /// The amount of its own work in progress, and of everything connected through its parts. The lock of the displays
  /// must be held too.
  final var workUnderWay: Int { ownWork + (inner.map { ($0.runs + $0.updates).all } ?? 0) }
}

/// Evaluates its slice after every turn that changes it. The whole state counts as changed after every turn.
class Watcher: Connected, @unchecked Sendable {  // as its superclass
  /// Acts on a change of the slice. Does nothing unless `isServed`.
  ///
  /// - Parameter node: the node of this connection.
  func sliceChanged(at node: Node) {}

  override func connectionBegan() { if let node { sliceChanged(at: node) } }
  override func enter(_ lists: inout NodeConnections) { lists.watchers.enter(self) }
  override func leave(_ lists: inout NodeConnections) { lists.watchers.leave(self) }
}

/// Begins and ends parts of its slice. It holds a node for each, and serves what is connected there.
class Keeper: Watcher, @unchecked Sendable {  // as its superclass
  init(_ entry: Entry) {
    let inner = Account(parent: entry.account)
    super.init(entry, inner: inner)
    inner.keeper = self
  }

  /// Adds the displays of parts that have changed.
  func collectDisplays(_ batches: inout [DisplayBatch]) {}
  /// Calls `body` with the node of every part.
  func forEachPart(_ body: (Node) -> Void) {}

  final var hasParts: Bool {
    var isAny = false
    forEachPart { _ in isAny = true }
    return isAny
  }

  override final var kind: ConnectionKind { .keeper }
  override final func enter(_ lists: inout NodeConnections) { lists.keepers.enter(self) }
  override final func leave(_ lists: inout NodeConnections) { lists.keepers.leave(self) }
}

/// Records what the store does, or what is sent through one store or scope. It watches no slice. Its node is that of
/// the part with which it ends, or the root.
class Tap: Connected, @unchecked Sendable {  // as its superclass
  override final var path: SlicePath? { node?.parent == nil ? nil : super.path }
  override var kind: ConnectionKind { .observer }
  override final func enter(_ lists: inout NodeConnections) { lists.taps.enter(self) }
  override final func leave(_ lists: inout NodeConnections) { lists.taps.leave(self) }
}

/// One line of an activity list before it is described, since descriptions are the user's code.
struct WorkNote {
  let phase: StoreActivity.Work.Phase
  var generation: UInt64?
  /// The action that started the run; `nil` if the connection of the effect did.
  var startedBy: UInt64?
  let text: () -> String
}

/// The name of a connection: the given one, or that of the component's type, which is made only on demand.
enum Label: Sendable {
  case given(String)
  case type(Any.Type)

  var text: String {
    switch self {
    case .given(let name): name
    case .type(let type): Spelling.name(of: type)
    }
  }
}
