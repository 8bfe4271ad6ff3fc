import MillraceCollections

/// The life of one element. Without types, since there may be a hundred thousand in one table.
private final class ElementLife {
  let hash: Int
  let account: Account
  let node: Node
  /// Whether its displays are to be collected.
  var isDue = false
  /// Whether its element was met while the collection was looked through.
  var isPresent = true

  init(hash: Int, account: Account, node: Node) {
    self.hash = hash
    self.account = account
    self.node = node
  }
}

/// Begins and ends the lifetimes of the elements of a keyed collection. Everything that varies is guarded by the turn
/// lock.
///
/// It asks the collection what a turn has touched, and looks at no other elements. It does not hold the last version for
/// that, since then the next change would copy its path.
final class ConnectedElements<Whole: Sendable, Element: Identifiable & Equatable & Sendable>:
  Keeper, @unchecked Sendable  // what varies is guarded by the turn lock
where Element.ID: Sendable {
  /// Calls the closure of the user's with a store of the element.
  typealias Connect = (Element.ID, Lifetime<Element>) -> Void

  private unowned let engine: Engine  // which owns this while it is connected, and is owned by its handle
  private let collection: Projection<Whole, KeyedArray<Element>>
  private(set) var connect: Connect?
  /// `nil` before its place is found, and once the connection has ended, as `connect` then.
  var whole: WatchedNode<Whole>?
  /// The revision of the elements that was last looked at.
  private var seen: Revision?
  /// The lives by the hash of their id.
  private var lives: [Int: ElementLife] = [:]
  /// Those whose hash another one has in the table. There are hardly ever any.
  private var colliding: [ElementLife] = []
  /// The account of the time from one moment in which the collection is empty to the next. That it is over fences all
  /// its elements at once, however many there were.
  private var epoch: Account?
  /// The hashes of the ids of those whose displays are to be collected. Not the lives, which may end before that.
  private var due: [Int] = []

  init(
    _ entry: Entry, in engine: Engine, _ collection: Projection<Whole, KeyedArray<Element>>,
    connect: @escaping Connect
  ) {
    self.collection = collection
    self.engine = engine
    self.connect = connect
    super.init(entry)
  }

  override func sliceChanged(at _: Node) {
    if isServed, let whole { collection.withPart(of: whole.value.borrowed) { look(at: $0) } }
  }

  /// - Parameter elements: borrowed: a copy of the collection would count references.
  private func look(at elements: Borrowed<KeyedArray<Element>>) {
    guard let revision = elements.pointer.pointee.revision else { return endAll() }  // there are no elements
    if revision === seen { return }
    let previous = seen
    seen = revision
    let isKnown = previous.map { previous in
      revision.forEachHashTouched(since: previous) { hash in
        update(
          { self.forEachLife(hash: hash, $0) },
          { body in elements.read { $0.forEachElement(hash: hash) { body(Borrowed(pointer: $0), hash) } } })
      }
    }
    if isKnown != true {
      update(
        { self.allLives.forEach($0) },
        { body in elements.read { $0.forEachElement { body(Borrowed(pointer: $0), $1) } } })
    }
  }

  /// Brings the lives of some elements up to date.
  ///
  /// - Parameters:
  ///   - forEachLife: calls its closure with the lives that are there.
  ///   - forEachElement: calls its closure with the elements, each with the hash of its id.
  private func update(
    _ forEachLife: ((ElementLife) -> Void) -> Void,
    _ forEachElement: ((Borrowed<Element>, Int) -> Void) -> Void
  ) {
    forEachLife { $0.isPresent = false }
    var isAnyNew = false
    forEachElement { if !serve($0, hash: $1) { isAnyNew = true } }
    // Anew: what an element's change has called may have ended them all.
    forEachLife { if !$0.isPresent { end($0) } }
    if isAnyNew { forEachElement { begin($0, $1) } }
  }

  /// Serves what watches an element that may have been touched.
  ///
  /// - Returns: whether its life is under way.
  private func serve(_ element: Borrowed<Element>, hash: Int) -> Bool {
    guard let life = life(of: element, hash: hash) else { return false }
    life.isPresent = true
    let node = sliceNode(of: life)
    if element.hasBytes(of: node.borrowed) || Borrowed.areEqual(element, node.borrowed) { return true }
    node.take(node.box.another(copying: element))
    node.serveWatchers()
    if node.displayCount > 0, !life.isDue {
      life.isDue = true
      due.append(hash)
    }
    return true
  }

  /// The life of an element whose id has this hash.
  private func life(of element: Borrowed<Element>, hash: Int) -> ElementLife? {
    if let life = lives[hash], Self.haveSameID(element, sliceNode(of: life).borrowed) { return life }
    return colliding.first { $0.hash == hash && Self.haveSameID(element, sliceNode(of: $0).borrowed) }
  }

  /// Not by a cast, which would look the type of the node up.
  private func sliceNode(of life: ElementLife) -> SliceNode<Element> {
    unsafeDowncast(life.node, to: SliceNode<Element>.self)  // every life here was made with such a node
  }

  private static func haveSameID(_ left: Borrowed<Element>, _ right: Borrowed<Element>) -> Bool {
    left.read { $0.id } == right.read { $0.id }
  }

  /// Begins the life of an element, unless it is under way.
  private func begin(_ element: Borrowed<Element>, _ hash: Int) {
    if life(of: element, hash: hash) != nil { return }
    // The closure of another element may have ended all of this.
    guard phase == .connected, let connect, let whole else { return }
    if engine.isClosing(account, isOfPart: true) { return }
    let epoch = epoch ?? Account(parent: inner, isMortal: true)
    self.epoch = epoch
    let node = SliceNode(holding: Box(copying: element), under: whole.node) { [collection] element in
      .element(collection.name, id: AnyHashable(element.id))
    }
    let life = ElementLife(hash: hash, account: Account(parent: epoch, isMortal: true), node: node)
    life.account.place = node
    // On record before the closure is called, which may end it.
    if lives[hash] == nil { lives[hash] = life } else { colliding.append(life) }
    let id = element.read { $0.id }
    let place = WatchedNode(node: node, value: node)
    engine.beginPart { connect(id, Lifetime(account: life.account, place: place)) }
  }

  private func end(_ life: ElementLife) {
    if lives[life.hash] === life { lives[life.hash] = nil } else { colliding.removeAll { $0 === life } }
    engine.endParts(of: life.account, at: [life.node])
  }

  /// Ends every element: fences them at once, and leaves the rest to the tearing down.
  private func endAll() {
    seen = nil
    guard let epoch else { return }
    engine.endParts(of: epoch, at: allLives.map(\.node))
    engine.decided.release((lives, colliding))  // freeing many takes long
    (lives, colliding, due) = ([:], [], [])
    self.epoch = nil
  }

  override var path: SlicePath? { super.path?.appending(.slice(collection.name)) }
  override func connectionEnded() { endAll() }

  override func forget() -> Any? {
    defer { (connect, whole) = (nil, nil) }
    return connect.map { ($0, whole) }
  }

  override func collectDisplays(_ batch: inout DisplayBatch) {
    let hashes = due
    due.removeAll(keepingCapacity: hashes.count < 1024)
    for hash in hashes {
      forEachLife(hash: hash) { life in
        guard life.isDue else { return }
        life.isDue = false
        if !life.account.isOver { life.node.collectDisplaysIfChanged(&batch) }
      }
    }
  }

  override func forEachPart(_ body: (Node) -> Void) { for life in allLives { body(life.node) } }

  private func forEachLife(hash: Int, _ body: (ElementLife) -> Void) {
    if let life = lives[hash] { body(life) }
    for life in colliding where life.hash == hash { body(life) }
  }

  private var allLives: [ElementLife] { Array(lives.values) + colliding }
}
