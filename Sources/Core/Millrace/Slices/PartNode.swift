/// The life of one part of the state: its node, with its account. Without types, since there may be a hundred thousand in
/// one table.
class Life: Node {
  final let account: Account
  /// The hash of its id, where it is an element.
  final let hash: Int
  /// The next life whose id has this hash. There is hardly ever one.
  final var next: Life?
  /// Whether its displays are to be collected.
  final var isDue = false
  /// Whether its element was met while the collection was looked through.
  final var isPresent = true

  fileprivate init(address: Address, under parent: Node, in account: Account, hash: Int) {
    self.account = account
    self.hash = hash
    super.init(address: address, key: nil, under: parent)
    account.place = self
  }

  /// Calls `body` with it and with the next ones, of which it may remove the one that it gets.
  final func forEachOfHash(_ body: (Life) -> Void) {
    var life: Life? = self
    while let present = life {
      life = present.next
      body(present)
    }
  }
}

/// The node of a part that a keeper brings up to date itself.
final class PartNode<Value: Equatable & Sendable>: Life, Watched {
  private(set) var box: Box<Value>
  /// The way to it from the parent.
  private let way: (Value) -> SlicePath.Step

  init(
    holding box: Box<Value>, under parent: Node, in account: Account, hash: Int = 0,
    _ way: @escaping (Value) -> SlicePath.Step
  ) {
    self.box = box
    self.way = way
    super.init(address: box.borrowed.address, under: parent, in: account, hash: hash)
  }

  var borrowed: Borrowed<Value> { box.borrowed }
  override var step: SlicePath.Step { way(box.value) }
  override var partID: AnyHashable? { .id(of: box.value) }
  override var erasedBox: AnyObject? { box }
  override func refresh() -> Bool { false }

  /// Puts a new value in place of the old one.
  func take(_ box: Box<Value>) {
    released.append(self.box)
    self.box = box
    valueMoved(to: box.borrowed.address)
  }

  /// The lifetime, for the closure that connects to it.
  var lifetime: Lifetime<Value> { Lifetime(account: account, place: WatchedNode(node: self, value: self)) }
}

extension AnyHashable {
  /// The id of a part of the state; `nil` where the part is not `Identifiable`.
  static func id(of part: Any) -> AnyHashable? {
    func id(of part: some Identifiable) -> AnyHashable { AnyHashable(part.id) }
    return (part as? any Identifiable).map { id(of: $0) }
  }
}

/// The life of one part of the state, as its keeper hands it on: its account and its place in the tree. Used with the turn
/// lock held.
struct Lifetime<Part: Sendable> {
  let account: Account
  let place: WatchedNode<Part>
}

/// Calls the closure with the present part of a state that has this id, if the state has it.
typealias PartFinding<Whole, ID, Part> = @Sendable (ID, Borrowed<Whole>, (Borrowed<Part>) -> Void) -> Void
