/// Parts that exist while they are elements of a keyed collection. Its fields are guarded by the turn lock.
///
/// It keeps the last version of the collection, which shares structure with the next, and so reaches what a turn has
/// changed by key, without looking at the other elements.
final class EachAttachment<
  Whole: Sendable, WholeAction: Sendable, Element: Identifiable & Equatable & Sendable, Action: Sendable
>: LifetimeAttachment, @unchecked Sendable where Element.ID: Sendable {  // see above
  typealias Elements = KeyedArray<Element>
  typealias ElementLifetime = Lifetime<Whole, WholeAction, Element, Action>

  let place: Place
  private let whole: any StoreBackend<Whole, WholeAction>
  private let collection: Projection<Whole, Elements>
  private let action: @Sendable (Element.ID, Action) -> WholeAction
  private let connect: @Sendable (Element.ID, Store<Element, Action>) -> Void
  private var last = Elements()
  private var lifetimes: [Element.ID: ElementLifetime] = [:]
  /// The elements that have changed since displays were last served.
  private var due: Set<Element.ID> = []

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
  }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    wholeChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {}

  func wholeChanged(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    collection.withPart(of: whole) { elements in
      let previous = last
      last = elements.pointee
      elements.pointee.forEachChange(since: previous) { change in
        switch change {
        case .inserted(let element): begin(element.id, whole, engine)
        case .removed(let element): end(element, engine, outcome)
        case .updated(_, let element): serve(element.id, whole, engine, outcome)
        }
      }
    }
  }

  private func begin(_ id: Element.ID, _ whole: UnsafeRawPointer, _ engine: Engine) {
    if place.scope.any(\.isClosing) { return }
    let projection = Projection<Whole, Element>("element") { [collection] whole, body in
      collection.withPart(of: UnsafeRawPointer(whole)) { elements in
        elements.pointee.withElement(id: id, body)
      }
    }
    lifetimes[id] = Lifetime(
      in: engine, of: self.whole, at: place, cache: SliceCell(projection, of: whole), projection,
      action: { [action] in action(id, $0) }, { [connect] in connect(id, $0) })
  }

  private func end(_ element: Element, _ engine: Engine, _ outcome: Outcome) {
    due.remove(element.id)
    lifetimes.removeValue(forKey: element.id)?.end(engine, last: element, outcome)
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
    for (id, lifetime) in lifetimes { lifetime.end(engine, last: last[id: id], outcome) }
    lifetimes = [:]
    due = []
    last = Elements()
  }

  func forEachNode(_ body: (Node) -> Void) {
    for lifetime in lifetimes.values { body(lifetime.node) }
  }

  var work: [any CountedWork] { [] }
  var activity: [StoreActivity.Work] { [] }
}
