/// A part that exists while an optional slice is present. Its fields are guarded by the turn lock.
final class PresenceAttachment<
  Whole: Sendable, WholeAction: Sendable, Part: Equatable & Sendable, Action: Sendable
>: LifetimeAttachment, @unchecked Sendable {  // what varies is touched with the turn lock held
  let place: Place
  private let whole: any StoreBackend<Whole, WholeAction>
  private let optional: Projection<Whole, Part?>
  private let isSame: @Sendable (Part, Part) -> Bool
  private let action: @Sendable (Action) -> WholeAction
  private let connect: @Sendable (Store<Part, Action>) -> Void
  private var lifetime: Lifetime<Whole, WholeAction, Part, Action>?

  init(
    at place: Place, of whole: any StoreBackend<Whole, WholeAction>, _ optional: Projection<Whole, Part?>,
    isSame: @escaping @Sendable (Part, Part) -> Bool,
    action: @escaping @Sendable (Action) -> WholeAction,
    _ connect: @escaping @Sendable (Store<Part, Action>) -> Void
  ) {
    self.place = place
    self.whole = whole
    self.optional = optional
    self.isSame = isSame
    self.action = action
    self.connect = connect
  }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    wholeChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {}

  func wholeChanged(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    optional.withPart(of: whole) { part in
      guard let part = part.pointee else { return end(engine, outcome) }
      if let lifetime {
        if isSame(Self.value(of: lifetime), part) {
          return lifetime.node.serveEffects(of: whole, engine, outcome)
        }
        end(engine, outcome)
      }
      begin(whole, engine)
    }
  }

  func serveDisplays(_ whole: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    lifetime?.node.serveDisplays(of: whole, engine, outcome)
  }

  private func begin(_ whole: UnsafeRawPointer, _ engine: Engine) {
    guard let node = place.node, !place.scope.any(\.isClosing) else { return }
    let projection = Projection<Whole, Part>("present") { [optional] whole, body in
      optional.withPart(of: UnsafeRawPointer(whole)) { part in
        if let part = part.pointee { withUnsafePointer(to: part, body) }
      }
    }
    lifetime = Lifetime(
      in: engine, of: self.whole, at: place,
      node: projection.makeNode(of: whole, under: node, isHeld: true), projection, action: action, connect)
  }

  private func end(_ engine: Engine, _ outcome: Outcome) {
    guard let lifetime else { return }
    self.lifetime = nil
    lifetime.end(engine, last: Self.value(of: lifetime), outcome)
  }

  private static func value(of lifetime: Lifetime<Whole, WholeAction, Part, Action>) -> Part {
    lifetime.node.value.assumingMemoryBound(to: Part.self).pointee
  }

  func ended(_ engine: Engine, _ outcome: Outcome) { end(engine, outcome) }

  func forEachNode(_ body: (Node) -> Void) {
    if let lifetime { body(lifetime.node) }
  }

  var work: [any CountedWork] { [] }
  var activity: [StoreActivity.Work] { [] }
}
