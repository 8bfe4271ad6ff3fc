/// How far the lifetimes of a collection's elements are. Not generic, since generic code would look its type up.
private struct ElementsProgress {
  /// What the elements were like when they were last looked at.
  var seen: Revision?
  /// The time from one moment in which the collection is empty to the next. That it is over fences all its elements at
  /// once, however many there were.
  var era: Scope
  var lives = ElementLives()
  /// The elements that have changed since displays were last served.
  var due: [ElementNode] = []
  var ahead = LookAhead()
}

/// Parts that exist while they are elements of a keyed collection. Its fields are guarded by the turn lock.
///
/// It asks the collection what a turn has touched, and looks at no other elements. It does not hold the last version for
/// that, since then the next change would copy its path.
final class EachAttachment<
  Whole: Sendable, WholeAction: Sendable, Element: Identifiable & Equatable & Sendable, Action: Sendable
>: LifetimeAttachment, @unchecked Sendable  // what varies is touched with the turn lock held
where Element.ID: Sendable {
  typealias Elements = KeyedArray<Element>

  let place: Place
  private let whole: any StoreBackend<Whole, WholeAction>
  private let collection: Projection<Whole, Elements>
  private let action: @Sendable (Element.ID, Action) -> WholeAction
  private let connect: @Sendable (Element.ID, Store<Element, Action>) -> Void
  /// By pointer, since a stored property of a class is checked for exclusive access at every use.
  private let progress = UnsafeMutablePointer<ElementsProgress>.allocate(capacity: 1)

  init(
    at place: Place, of whole: any StoreBackend<Whole, WholeAction>,
    _ collection: Projection<Whole, Elements>,
    action: @escaping @Sendable (Element.ID, Action) -> WholeAction,
    _ connect: @escaping @Sendable (Element.ID, Store<Element, Action>) -> Void
  ) {
    self.place = place
    self.whole = whole
    self.collection = collection
    self.action = action
    self.connect = connect
    progress.initialize(to: ElementsProgress(era: Scope(parent: place.scope)))
  }

  deinit {
    progress.deinitialize(count: 1)
    progress.deallocate()
  }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    wholeChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {}

  func wholeChanged(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    collection.withPart(of: whole) { elements in
      if elements.pointee.order.root == nil { return endAll(engine, outcome) }
      let previous = progress.pointee.seen
      guard let revision = elements.pointee.revision, revision !== previous else { return }
      progress.pointee.seen = revision
      let isKnown = previous.map {
        revision.forEachHashTouched(since: $0) { update($0, elements, engine, outcome) }
      }
      if isKnown != true { updateAll(elements, engine, outcome) }
    }
  }

  /// Brings the lives of the elements with this hash of their ids up to date.
  private func update(
    _ hash: Int, _ elements: UnsafePointer<Elements>, _ engine: Engine, _ outcome: Outcome
  ) {
    let first = progress.pointee.lives.first(hash)
    // Mostly there is one of each.
    if let first, let item = elements.pointee.order.onlyItem(hash: hash, elements.pointee.index) {
      let element = UnsafePointer(item.element(of: Element.self))
      let isOnly = first._withUnsafeGuaranteedRef { $0.isAlone && $0.isOf(element) }
      // Kept from here on: an old value that is let go of may end all of this.
      if isOnly { return serve(first.takeUnretainedValue(), element, engine, outcome) }
    }
    var life = first?.takeUnretainedValue()
    while let present = life {
      life = present.next
      if !serve(present, elements, engine, outcome) { end(present, engine, outcome) }
    }
    elements.pointee.forEachElement(hash: hash) { begin($0, hash, engine) }
  }

  /// The same for all.
  private func updateAll(
    _ elements: UnsafePointer<Elements>, _ engine: Engine, _ outcome: Outcome
  ) {
    var gone: [ElementNode] = []
    for life in Array(progress.pointee.lives) where !serve(life, elements, engine, outcome) {
      progress.pointee.lives.remove(life)
      life.fence()
      gone.append(life)
    }
    if !gone.isEmpty { tearDown(AnyIterator(gone.makeIterator()), engine, outcome) }
    if progress.pointee.lives.count == elements.pointee.count { return }
    elements.pointee.forEachElement { begin($0, $1, engine) }
  }

  /// Tells who watches an element that may have been touched.
  ///
  /// - Returns: whether it is there.
  private func serve(
    _ life: ElementNode, _ elements: UnsafePointer<Elements>, _ engine: Engine, _ outcome: Outcome
  ) -> Bool {
    var isThere = false
    elements.pointee.forEachElement(hash: life.hash) { element in
      guard !isThere, life.isOf(element) else { return }
      isThere = true
      serve(life, element, engine, outcome)
    }
    return isThere
  }

  /// Tells who watches an element that was touched, if it has changed.
  private func serve(
    _ life: ElementNode, _ element: UnsafePointer<Element>, _ engine: Engine, _ outcome: Outcome
  ) {
    guard life.elementArrived(element) else { return }
    life.sliceChanged(engine, outcome)
    if life.displayCount > 0, !life.isDue {
      life.isDue = true
      progress.pointee.due.append(life)
    }
  }

  /// Begins the life of an element, unless it is under way.
  private func begin(_ element: UnsafePointer<Element>, _ hash: Int, _ engine: Engine) {
    var other = progress.pointee.lives.first(hash)?.takeUnretainedValue()
    while let present = other {
      if present.isOf(element) { return }
      other = present.next
    }
    guard let parent = place.node, !place.scope.any(\.isClosing) else { return }
    let id = UnsafeMutablePointer(mutating: element).id
    let projection = Projection<Whole, Element>("element") { [collection] whole, body in
      collection.withPart(of: UnsafeRawPointer(whole)) { elements in
        elements.pointee.withElement(id: id, body)
      }
    }
    let scope = Scope(parent: progress.pointee.era)
    let node = TypedElementNode.make(element, ElementNode.Life(hash: hash, scope: scope), under: parent)
    progress.pointee.lives.insert(node)
    _ = Lifetime(
      in: engine, of: self.whole, at: place, scope: scope, node: node, projection,
      action: { [action] in action(id, $0) }, { [connect] in connect(id, $0) })
  }

  private func end(_ life: ElementNode, _ engine: Engine, _ outcome: Outcome) {
    progress.pointee.lives.remove(life)
    life.fence()
    engine.tearDown(life, outcome)
  }

  /// Ends every element: fences them at once, and leaves the rest to the tearing down.
  private func endAll(_ engine: Engine, _ outcome: Outcome) {
    progress.pointee.seen = nil
    if progress.pointee.lives.isEmpty { return }
    progress.pointee.era.isEnded = true
    progress.pointee.era = Scope(parent: place.scope)
    let gone = progress.pointee.lives.makeIterator()
    progress.pointee.lives = ElementLives()
    progress.pointee.due = []
    tearDown(gone, engine, outcome)
  }

  /// Leaves all that need not be done at once for many elements to turns to come.
  private func tearDown(_ gone: AnyIterator<ElementNode>, _ engine: Engine, _ outcome: Outcome) {
    engine.tearDown(
      Lot {
        guard let life = gone.next() else { return nil }
        life.fence()
        return life
      }, outcome)
  }

  func serveDisplays(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    // An old value that is let go of may end all of this, and then nothing is due any more.
    let due = progress.pointee.due
    if due.isEmpty { return }
    for start in stride(from: 0, to: due.count, by: LookAhead.distance) {
      let lives = due[start...].prefix(LookAhead.distance)
      for life in lives { life.touchNext(&progress.pointee.ahead) }
      for life in lives { life.touchDisplays(&progress.pointee.ahead) }
      for life in lives {
        life.isDue = false
        if !life.isEnded { life.serveDisplays(of: whole, engine, outcome) }
      }
    }
    progress.pointee.due.removeAll(keepingCapacity: due.count < 1024)
  }

  func ended(_ engine: Engine, _ outcome: Outcome) {
    endAll(engine, outcome)
  }

  func forEachNode(_ body: (Node) -> Void) {
    for life in progress.pointee.lives { body(life) }
  }

  var work: [any CountedWork] { [] }
  var activity: [StoreActivity.Work] { [] }
}
