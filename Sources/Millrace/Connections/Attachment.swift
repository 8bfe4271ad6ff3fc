/// One component in its place: the engine's side of a connection. Used with the turn lock held, except where a
/// method says otherwise.
protocol Attachment: AnyObject, Sendable {
  var place: Place { get }
  /// The first slice, in the turn in which it is connected.
  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome)
  /// The slice has changed.
  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome)
  /// The connection ends: stops and fences all.
  func ended(_ engine: Engine, _ outcome: Outcome)
  /// Work that is under way, stopped or not.
  var work: [any CountedWork] { get }
  /// Whether it only records what the store does, and so ends last.
  var isWitness: Bool { get }
  /// Whether what it is connected for has gone by itself, as a view that nobody holds any more.
  var isGone: Bool { get }
  /// What it does at this moment, for an activity list.
  var activity: [StoreActivity.Work] { get }
}

/// An attachment that makes and ends lifetimes of parts of the state: it holds a node for each, and serves what is
/// connected there.
protocol LifetimeAttachment: Attachment {
  /// After an action: the slice that the parts belong to has changed.
  func wholeChanged(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome)
  /// After a batch: tells the displays of parts that changed.
  func serveDisplays(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome)
  /// Calls `body` with the node of every part.
  func forEachNode(_ body: (Node) -> Void)
}

extension Attachment {
  var isGone: Bool { false }
  var isWitness: Bool { false }

  /// Whether nothing of it is under way, but for `excluded`.
  func isQuiet(but excluded: (any CountedWork)?) -> Bool {
    work.allSatisfy { $0 === excluded }
  }
}

/// What a connection is called: the name that was given, or that of the component's type, which is spelled out only
/// when somebody asks.
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

  var text: String { name?.text ?? "\(type)" }
}

/// Where an attachment is connected and what it is called. An object, since it is looked at through attachments
/// whose type is unknown, which copies a value each time.
///
/// `attachment`, `phase`, `node`, `index` and `patience` are guarded by the engine's turn lock; everything else is
/// immutable.
final class Place: @unchecked Sendable {  // what varies is touched with the turn lock held
  enum Phase {
    /// Its connection waits in the mailbox.
    case pending
    case connected
    case ended
  }

  // First what every change touches, so that it lies together.
  let scope: Scope
  var phase = Phase.pending
  /// Whether it acts once per drained batch rather than after every action.
  let isDisplay: Bool
  /// Whether `settled()` does not wait for it.
  let isBackground: Bool
  private var shortIndex: UInt32 = 0
  var node: Node?
  /// What is in this place, until it has ended and nothing of it is under way. Not weak, since a weak reference, even one
  /// that is gone, makes every other reference to the object costlier.
  unowned(unsafe) var attachment: (any Attachment)?  // kept by the tree or another list until `nil`
  /// With runs of it that were stopped.
  var patience = Patience()
  let id: UInt64
  let label: Label
  let site: CallSite

  /// Which one it is among those of its kind at its node.
  var index: Int {
    get { Int(shortIndex) }
    set { shortIndex = UInt32(newValue) }
  }

  init(id: UInt64, label: Label, site: CallSite, scope: Scope, isDisplay: Bool, isBackground: Bool) {
    self.id = id
    self.label = label
    self.site = site
    self.scope = scope
    self.isDisplay = isDisplay
    self.isBackground = isBackground
  }

  var name: String { label.text }

  var identity: ConnectionIdentity { ConnectionIdentity(number: id, name: name, site: site) }
}
