import MillraceSpelling

/// The entry of one connection: what it is called, where it is in the tree, how far its life is. Without types, since
/// lists of it are gone through in every turn. A ``Display`` is one that is given values.
///
/// | field | guarded by |
/// |---|---|
/// | `phase`, `node`, `index`, `binding` | the turn lock |
/// | everything else | immutable |
class Attachment: @unchecked Sendable {  // guarded as in the table
  enum Phase {
    /// Its connection waits in the mailbox, or for the end of the turn.
    case pending
    case connected
    case ended
  }

  enum Role {
    /// Asked after every turn that changes the slice.
    case effect
    /// A component, a view or a sequence of values: gets the newest value after a batch of turns.
    case display
    /// Begins and ends parts of the slice.
    case parts
    /// Records what the store does, and ends last. It is in no node but that of a part, with which it ends.
    case witness
  }

  final let id: UInt64
  final let label: Label
  final let site: CallSite
  final let scope: Scope
  /// The account of what is connected through the parts that it keeps.
  final let inner: Scope?
  /// The connected object; `nil` before its place is found, and once the connection has ended and no work is under way.
  final var binding: (any Binding)?
  final var node: Node?
  /// Its index among those of its role at its node.
  final var index = 0
  // The small ones last, beside those of a display: there may be a hundred thousand.
  final let role: Role
  /// Whether `settled()` does not wait for it.
  final let isBackground: Bool
  final var phase = Phase.pending

  /// The facts about a connection before it has its place.
  struct Entry {
    let id: UInt64
    let label: Label
    let site: CallSite
    let scope: Scope
    var isBackground = false
  }

  init(_ entry: Entry, _ role: Role, inner: Scope? = nil) {
    id = entry.id
    label = entry.label
    site = entry.site
    scope = entry.scope
    isBackground = entry.isBackground
    self.role = role
    self.inner = inner
  }

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

  /// Whether it is given values, and decides nothing.
  final var isDisplay: Bool { role == .display }
  final var isWitness: Bool { role == .witness }
  /// Itself, if it is one. Without a cast that is looked up.
  var asDisplay: Display? { nil }

  final var identity: ConnectionIdentity { ConnectionIdentity(number: id, name: label.text, site: site) }

  /// Whether it is to be told of changes.
  final var isServed: Bool { phase == .connected && !scope.isOver }

  /// How much work of it, and of what is connected through its parts, is under way. The lock of the update line must
  /// be held, too.
  final var workUnderWay: Int {
    (binding?.workUnderWay(of: self) ?? 0) + (inner.map { ($0.runs + $0.updates).all } ?? 0)
  }
}

/// Something connected in one place. Used with the turn lock held.
protocol Binding: AnyObject {
  /// It is connected to the node, which has its slice of this moment.
  func connected(_ attachment: Attachment, to node: Node)
  /// The connection ends: stops and fences all.
  func ended(_ attachment: Attachment)
  /// How many runs and updates have not returned. The lock of the update line must be held, too.
  func workUnderWay(of attachment: Attachment) -> Int
  /// The work under way, asked for, and done, for an activity list.
  var workNotes: [WorkNote] { get }

  // Itself, if it is one of these. Without a cast that is looked up.
  var asWatcher: (any Watcher)? { get }
  var asKeeper: (any Keeper)? { get }
}

extension Binding {
  func workUnderWay(of attachment: Attachment) -> Int { 0 }
  var workNotes: [WorkNote] { [] }
  var asWatcher: (any Watcher)? { nil }
  var asKeeper: (any Keeper)? { nil }
}

/// An effect or a keeper. The tree calls it after every turn that changes its slice. The whole state counts as changed
/// after every turn.
protocol Watcher: Binding {
  var attachment: Attachment { get }
  /// Does nothing unless the attachment is to be told.
  func sliceChanged()
}

extension Watcher {
  var asWatcher: (any Watcher)? { self }
}

/// Begins and ends parts of its slice. It holds a node for each, and serves what is connected there.
protocol Keeper: Watcher {
  /// Adds the displays of parts that have changed.
  func collectDisplays(_ batch: inout DisplayBatch)
  /// Calls `body` with the node of every part.
  func forEachPart(_ body: (Node) -> Void)
}

extension Keeper {
  var asKeeper: (any Keeper)? { self }
}

/// One line of an activity list, before it is spelled out: descriptions are the user's code.
struct WorkNote {
  let phase: StoreActivity.Work.Phase
  let generation: UInt64?
  let request: Request

  enum Request {
    case plain(String)
    case value(any Sendable)

    var text: String {
      switch self {
      case .plain(let text): text
      case .value(let value): Spelling.text(of: value)
      }
    }
  }
}

/// The name of a connection: the given one, or that of the component's type, which is spelled out only on demand.
struct Label: Sendable {
  /// On the heap, since few are given a name and every connection has a label.
  private final class Name: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private let name: Name?
  private let type: Any.Type

  init(given: String?, type: Any.Type) {
    name = given.map(Name.init)
    self.type = type
  }

  var text: String { name?.text ?? Spelling.name(of: type) }
}
