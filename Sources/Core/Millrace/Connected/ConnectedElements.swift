import MillraceCollections

/// Begins and ends the lifetimes of the elements of a keyed collection. All variables are guarded by the turn lock.
///
/// It asks the collection which elements a turn has touched, and examines only these. It does not hold the last version
/// of the collection, since the next change would then copy a part of it.
final class ConnectedElements<
  Whole: Sendable, WholeAction: Sendable, Element: Identifiable & Equatable & Sendable
>:
  PartKeeper<Whole, WholeAction, Element.ID>,
  @unchecked Sendable  // its variables are guarded by the turn lock
where Element.ID: Sendable {
  let collection: Projection<Whole, KeyedArray<Element>>
  /// The revision of the collection that was last evaluated.
  private var seen: Revision?
  /// The lives by the hash of their id. Lives with equal hashes form a list that begins here.
  private var lives: [Int: Life] = [:]
  /// The step of the path from the collection to an element, which all nodes share.
  private let way: (Element) -> SlicePath.Step
  /// The account of all lives that have begun since the last `endAll()`. Ending it fences all elements at once, however
  /// many there are.
  private var epoch: Account?
  /// The hashes of the ids of the elements whose displays are due. Not the lives, which may end before that.
  private var due: [Int] = []

  init(
    _ entry: Entry, at backend: Backend<Whole, WholeAction>, in engine: Engine,
    _ collection: Projection<Whole, KeyedArray<Element>>,
    connect: @escaping (Element.ID, Life) -> Void
  ) {
    self.collection = collection
    way = { .element(collection.name, id: AnyHashable($0.id)) }
    super.init(entry, at: backend, in: engine, connect: connect)
  }

  override func findNode() -> Node? { backend?.node(engine) }

  override func sliceChanged(at node: Node) {
    if isServed { collection.withPart(of: node.borrowed(as: Whole.self)) { look(at: $0) } }
  }

  /// - Parameter elements: borrowed, since a copy of the collection would count references.
  private func look(at elements: Borrowed<KeyedArray<Element>>) {
    guard let revision = elements.pointer.pointee.revision else { return endAll() }  // there are no elements
    if revision === seen { return }
    let previous = seen
    seen = revision
    let isKnown = previous.map { previous in
      revision.forEachHashTouched(since: previous) { hash in
        let first = lives[hash]
        first?.forEachOfHash { $0.isPresent = false }
        elements.read { $0.forEachElement(hash: hash) { update(Borrowed(pointer: $0), hash) } }
        first?.forEachOfHash(endIfGone)
      }
    }
    if isKnown == true { return }
    let former = lives.values
    for first in former { first.forEachOfHash { $0.isPresent = false } }
    elements.read { $0.forEachElement { update(Borrowed(pointer: $0), $1) } }
    for first in former { first.forEachOfHash(endIfGone) }
  }

  private func update(_ element: Borrowed<Element>, _ hash: Int) {
    if !serve(element, lives[hash]) { begin(element, hash) }
  }

  /// Ends a life whose element was not found. The user's functions that a change of an element calls may have ended all
  /// lives.
  private func endIfGone(_ life: Life) {
    if !life.isPresent, !life.account.isOver { end(life) }
  }

  /// Updates what watches an element that may have changed.
  ///
  /// - Returns: whether the element has a life.
  private func serve(_ element: Borrowed<Element>, _ first: Life?) -> Bool {
    guard let node = life(of: element, first) else { return false }
    node.isPresent = true
    let last = node.box.borrowed
    if element.hasBytes(of: last) || Borrowed.areEqual(element, last) { return true }
    node.take(node.box.another(copying: element))
    node.serveWatchers()
    if node.displayCount > 0, !node.isDue {
      node.isDue = true
      due.append(node.hash)
    }
    return true
  }

  /// Returns the node of an element among the lives whose ids have its hash.
  private func life(of element: Borrowed<Element>, _ first: Life?) -> PartNode<Element>? {
    var next = first
    while let life = next {
      // Unchecked, since a checked cast would look up the node's type. `begin` makes each life a `PartNode<Element>`.
      let node = unsafeDowncast(life, to: PartNode<Element>.self)
      if element.read({ $0.id }) == node.box.borrowed.read({ $0.id }) { return node }
      next = life.next
    }
    return nil
  }

  /// Begins the life of an element.
  private func begin(_ element: Borrowed<Element>, _ hash: Int) {
    // The closure of another element may have ended this connection.
    guard phase == .connected, let connect, let whole = node else { return }
    if engine.isClosing(account, isOfPart: true) { return }
    let epoch = epoch ?? Account(parent: inner, isMortal: true)
    self.epoch = epoch
    let account = Account(parent: epoch, isMortal: true)
    let node = PartNode(holding: Box(copying: element), under: whole, in: account, hash: hash, way)
    node.next = lives[hash]
    // The life is recorded before the closure is called, since the closure may end it.
    lives[hash] = node
    let id = element.read { $0.id }
    engine.beginPart { connect(id, node) }
  }

  private func end(_ life: Life) {
    let first = lives[life.hash]
    if first === life { lives[life.hash] = life.next }
    first?.forEachOfHash { if $0.next === life { $0.next = life.next } }
    life.next = nil
    engine.endParts(of: life.account, at: [life])
  }

  /// Ends every element. Fences them at once, and leaves the rest to later turns.
  private func endAll() {
    seen = nil
    guard let epoch else { return }
    var nodes: [Node] = []
    for first in lives.values {
      first.forEachOfHash {
        nodes.append($0)
        $0.next = nil  // a long chain would be freed by recursion
      }
    }
    engine.endParts(of: epoch, at: nodes)
    engine.decide { $0.release(lives) }  // freeing many takes long
    (lives, due) = ([:], [])
    self.epoch = nil
  }

  override var path: SlicePath? { super.path?.appending(.slice(collection.name)) }
  override func connectionEnded() { endAll() }

  override func collectDisplays(_ batches: inout [DisplayBatch]) {
    let hashes = due
    due.removeAll(keepingCapacity: hashes.count < 1024)
    for hash in hashes {
      lives[hash]?.forEachOfHash { life in
        guard life.isDue else { return }
        life.isDue = false
        life.collectDisplaysIfChanged(&batches)
      }
    }
  }

  override func forEachPart(_ body: (Node) -> Void) {
    for first in lives.values { first.forEachOfHash(body) }
  }
}
