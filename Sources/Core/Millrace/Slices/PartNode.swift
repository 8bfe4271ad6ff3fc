/// The life of one part of the state: its node and its account. It has no type parameters, since one table may contain
/// a hundred thousand lives.
class Life: Node {
  final let account: Account
  /// The hash of its id, if the part is an element.
  final let hash: Int
  /// The next life whose id has this hash. There is rarely one.
  final var next: Life?
  /// Whether its displays are due.
  final var isDue = false
  /// Whether the last pass over the collection has found its element.
  final var isPresent = true

  fileprivate init(address: Address, under parent: Node, in account: Account, hash: Int) {
    self.account = account
    self.hash = hash
    super.init(address: address, key: nil, under: parent)
    account.place = self
  }

  /// Calls `body` with this life and the next ones. `body` may remove the one that it gets.
  final func forEachOfHash(_ body: (Life) -> Void) {
    var life: Life? = self
    while let present = life {
      life = present.next
      body(present)
    }
  }
}

/// The node of a part. Its keeper updates the value.
final class PartNode<Value: Equatable & Sendable>: Life {
  private(set) var box: Box<Value>
  /// The step of the path from the parent to the part.
  private let way: (Value) -> SlicePath.Step

  init(
    holding box: Box<Value>, under parent: Node, in account: Account, hash: Int = 0,
    _ way: @escaping (Value) -> SlicePath.Step
  ) {
    self.box = box
    self.way = way
    super.init(address: box.borrowed.address, under: parent, in: account, hash: hash)
  }

  override var step: SlicePath.Step { way(box.value) }
  override var partID: AnyHashable? { .id(of: box.value) }
  override var erasedBox: AnyObject? { box }
  override func refresh() -> Bool { false }

  /// Replaces the value.
  func take(_ box: Box<Value>) {
    released.append(self.box)
    self.box = box
    valueMoved(to: box.borrowed.address)
  }
}

extension AnyHashable {
  /// Returns the id of a part of the state; `nil` if the part is not `Identifiable`.
  static func id(of part: Any) -> AnyHashable? {
    func id(of part: some Identifiable) -> AnyHashable { AnyHashable(part.id) }
    return (part as? any Identifiable).map { id(of: $0) }
  }
}

/// The id of a part whose type has none.
struct NoPartID: Hashable, Sendable {}

/// Calls the closure with the part of a state that has this id, if there is one.
typealias PartFinding<Whole, ID, Part> = @Sendable (ID, Borrowed<Whole>, (Borrowed<Part>) -> Void) -> Void
