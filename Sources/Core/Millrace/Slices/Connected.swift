import MillraceSpelling

/// One connection: what was connected, with its node and its phase. Each kind is a subclass: an effect or another
/// ``Watcher``, a ``Keeper`` of parts, a ``Display``, a ``Tap``. It has no type parameters, since each turn iterates over lists
/// of it.
///
/// A handle may keep it long after its end. Then it no longer holds what the user connected (`forget`).
///
/// | field | guarded by |
/// |---|---|
/// | `phase`, `node`, `index` | the turn lock |
/// | `hasLast` | the lock of the displays |
/// | everything else | immutable, but for what a subclass says |
class Connected: HashedByIdentity, @unchecked Sendable {  // guarded as in the table
  enum Phase {
    /// Its connection waits in the mailbox, or for the end of the turn.
    case pending
    case connected
    case ended
  }

  /// The facts about a connection before it has its place.
  struct Entry {
    let id: UInt64
    let label: Label
    let site: CallSite
    let account: Account
    /// Whether `settled()` does not wait for it.
    let isLongRunning: Bool
  }

  /// The account of what is connected through the parts that it keeps.
  final let inner: Account?
  final var node: Node?
  /// Its index among those of its kind at its node.
  final var index = 0
  // The small ones last, beside those of a display: there may be a hundred thousand.
  final let entry: Entry
  final var phase = Phase.pending
  /// Whether a shutdown has given it the last that it gets, or it has ended.
  final var hasLast = false

  init(_ entry: Entry, inner: Account? = nil) {
    self.entry = entry
    self.inner = inner
  }

  // MARK: What each kind does. Called with the turn lock held.

  /// Its node, where nothing else finds it.
  func findNode() -> Node? { nil }
  /// It is in its node, which has its slice of this moment.
  func connectionBegan() {}
  /// Its connection ends, also one that has not begun: stops and fences all.
  func connectionEnded() {}
  /// How many runs and updates of it have not returned. The lock of the displays must be held, too.
  var ownWork: Int { 0 }
  /// The work under way, asked for, and done, for an activity list. The lock of the displays must be held, too.
  var workNotes: [WorkNote] { [] }
  /// Its connection has ended and nothing of it is under way: gives up what the user connected, to be released when no
  /// lock is held. The lock of the displays must be held, too.
  func forget() -> Any? { nil }
  /// What decides when it ends, where many end together.
  var kind: ConnectionKind { .receiver }
  /// Appends itself to the list of its kind.
  func enter(_ lists: inout NodeConnections) {}
  /// Removes itself from the list of its kind.
  func leave(_ lists: inout NodeConnections) {}

  // MARK: What all have

  final var id: UInt64 { entry.id }
  final var label: Label { entry.label }
  final var site: CallSite { entry.site }
  final var account: Account { entry.account }
  final var isLongRunning: Bool { entry.isLongRunning }

  /// The ids of the parts of the state to which it belongs, outermost first.
  final var partIDs: [AnyHashable] {
    var ids: [AnyHashable] = []
    var next = node
    while let node = next {
      if let id = node.partID { ids.insert(id, at: 0) }
      next = node.parent
    }
    return ids
  }

  /// The way to its slice from the state; `nil` if it watches none.
  var path: SlicePath? { node?.path }
  final var identity: ConnectionIdentity { ConnectionIdentity(number: id, name: label.text, site: site) }

  /// Whether it acts on changes of its slice: it is connected, and its part of the state has not ended.
  final var isServed: Bool { phase == .connected && !account.isOver }

  /// How much work of it, and of what is connected through its parts, is under way. The lock of the displays must be held,
  /// too.
  final var workUnderWay: Int { ownWork + (inner.map { ($0.runs + $0.updates).all } ?? 0) }
}

/// Looks at its slice after every turn that changes it. The whole state counts as changed after every turn.
class Watcher: Connected, @unchecked Sendable {  // as its superclass
  /// Does nothing unless `isServed`.
  ///
  /// - Parameter node: its own.
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
  func collectDisplays(_ batch: inout DisplayBatch) {}
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

/// Records what the store does, or what is sent through one handle. It watches no slice: it is at the node of the part
/// with which it ends, or at the root.
class Tap: Connected, @unchecked Sendable {  // as its superclass
  override final var path: SlicePath? { node?.parent == nil ? nil : super.path }
  override var kind: ConnectionKind { .observer }
  override final func enter(_ lists: inout NodeConnections) { lists.taps.enter(self) }
  override final func leave(_ lists: inout NodeConnections) { lists.taps.leave(self) }
}

/// One line of an activity list, before it is spelled out: descriptions are the user's code.
struct WorkNote {
  let phase: StoreActivity.Work.Phase
  let generation: UInt64?
  /// The action that started the run; `nil` if connecting the effect did.
  var startedBy: UInt64?
  let text: () -> String
}

/// The name of a connection: the given one, or that of the component's type, which is spelled out only on demand.
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
