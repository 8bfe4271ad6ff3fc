/// Parts that exist while they are elements of a keyed collection. Its fields are guarded by the turn lock.
///
/// It keeps the last version of the collection, which shares structure with the next, and so reaches what a turn has
/// changed by key, without looking at the other elements.
final class EachAttachment<
  Whole: Sendable, WholeAction: Sendable, Element: Identifiable & Equatable & Sendable, Action: Sendable
>: LifetimeAttachment, @unchecked Sendable  // what varies is touched with the turn lock held
where Element.ID: Sendable {
  typealias Elements = KeyedArray<Element>
  typealias ElementLifetime = Lifetime<Whole, WholeAction, Element, Action>

  let place: Place
  private let whole: any StoreBackend<Whole, WholeAction>
  private let collection: Projection<Whole, Elements>
  private let action: @Sendable (Element.ID, Action) -> WholeAction
  private let connect: @Sendable (Element.ID, Store<Element, Action>) -> Void
  private var last = Elements()
  private var era: Era
  private var lifetimes: [Element.ID: ElementLifetime] = [:]
  /// The elements that have changed since displays were last served.
  private var due: Set<Element.ID> = []

  /// The time from one moment in which the collection is empty to the next. That it is over fences all its elements at
  /// once, however many there were.
  private final class Era: @unchecked Sendable {  // `elements` is touched with the turn lock held
    let scope: Scope
    /// The elements when it ended.
    var elements: Elements?

    init(in scope: Scope) { self.scope = Scope(parent: scope) }
  }

  init(
    at place: Place, of whole: any StoreBackend<Whole, WholeAction>,
    _ collection: Projection<Whole, Elements>,
    action: @escaping @Sendable (Element.ID, Action) -> WholeAction,
    _ connect: @escaping @Sendable (Element.ID, Store<Element, Action>) -> Void
  ) {
    self.place = place
    era = Era(in: place.scope)
    self.whole = whole
    self.collection = collection
    self.action = action
    self.connect = connect
  }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    wholeChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {}

  func wholeChanged(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    collection.withPart(of: whole) { elements in
      if elements.pointee.isEmpty { return endAll(engine, outcome) }
      let previous = last
      last = elements.pointee
      elements.pointee.forEachPossibleChange(since: previous) { change in
        switch change {
        case .inserted(let element): begin(element.pointee.id, whole, engine)
        case .removed(let element): end(element.pointee, engine, outcome)
        case .touched(_, let element): serve(element.pointee.id, whole, engine, outcome)
        }
      }
    }
  }

  private func begin(_ id: Element.ID, _ whole: UnsafeRawPointer, _ engine: Engine) {
    if place.scope.any(\.isClosing) { return }
    let projection = Projection<Whole, Element>("element") { [collection, era] whole, body in
      if let elements = era.elements {
        elements.withElement(id: id, body)
        return
      }
      collection.withPart(of: UnsafeRawPointer(whole)) { elements in
        elements.pointee.withElement(id: id, body)
      }
    }
    lifetimes[id] = Lifetime(
      in: engine, of: self.whole, at: place, scope: era.scope, cache: SliceCell(projection, of: whole),
      projection,
      action: { [action] in action(id, $0) }, { [connect] in connect(id, $0) })
  }

  private func end(_ element: Element, _ engine: Engine, _ outcome: Outcome) {
    if !due.isEmpty { due.remove(element.id) }
    lifetimes.removeValue(forKey: element.id)?.end(engine, last: element, outcome)
  }

  /// Ends every element: fences them at once, and leaves the rest to the tearing down.
  private func endAll(_ engine: Engine, _ outcome: Outcome) {
    if lifetimes.isEmpty {
      last = Elements()
      return
    }
    era.scope.isEnded = true
    era.elements = last
    var gone = lifetimes.makeIterator()
    let elements = last
    era = Era(in: place.scope)
    lifetimes = [:]
    due = []
    last = Elements()
    engine.tearDown(
      Lot {
        guard let (id, lifetime) = gone.next() else { return nil }
        lifetime.fence(last: elements[id: id])
        return lifetime.node
      }, outcome)
  }

  private func serve(_ id: Element.ID, _ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    guard let node = lifetimes[id]?.node else { return }
    if node.effectCount > 0 { node.serveEffects(of: whole, engine, outcome) }
    if node.displayCount > 0 { due.insert(id) }
  }

  func serveDisplays(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    if due.isEmpty { return }
    for id in due { lifetimes[id]?.node.serveDisplays(of: whole, engine, outcome) }
    due.removeAll(keepingCapacity: due.count < 1024)
  }

  func ended(_ engine: Engine, _ outcome: Outcome) {
    endAll(engine, outcome)
  }

  func forEachNode(_ body: (Node) -> Void) {
    for lifetime in lifetimes.values { body(lifetime.node) }
  }

  var work: [any CountedWork] { [] }
  var activity: [StoreActivity.Work] { [] }
}
