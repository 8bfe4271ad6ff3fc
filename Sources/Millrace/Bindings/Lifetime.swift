/// The life of one part of the state: its account and its place in the tree. Used with the turn lock held.
struct Lifetime<Part: Sendable> {
  let scope: Scope
  let place: WatchedNode<Part>
}

/// Finds a single part of a slice. Used with the turn lock held.
protocol PartFinder<Whole, Part>: AnyObject {
  associatedtype Whole: Sendable
  associatedtype Part: Sendable
  /// Makes the node of the part with its present value; `nil` where there is no part.
  func makeNode(in whole: Lent<Whole>, under parent: Node) -> WatchedNode<Part>?
  /// Brings the node up to date, or makes that of another part in its place.
  func refresh(_ place: WatchedNode<Part>, in whole: Lent<Whole>, under parent: Node) -> PartChange<Part>
}

/// The change of a part since it was last looked at.
enum PartChange<Part> {
  case unchanged
  case changed
  /// There is none any more.
  case gone
  /// Another one is in its place.
  case replaced(by: WatchedNode<Part>?)
}

/// Begins and ends the lifetimes of a single part of a slice. Everything that varies is guarded by the turn lock.
final class LifetimeBinding<Finder: PartFinder>: Keeper,
  @unchecked Sendable  // what varies is guarded by the turn lock
{
  /// Calls the closure of the user's with a store of the part.
  typealias Begin = @Sendable (Lifetime<Finder.Part>) -> Void

  let attachment: Attachment
  private unowned let engine: Engine  // which owns this while it is connected
  private let finder: Finder
  private let begin: Begin
  private let whole: WatchedNode<Finder.Whole>
  private var lifetime: Lifetime<Finder.Part>?

  init(
    _ finder: Finder, at attachment: Attachment, of whole: WatchedNode<Finder.Whole>, in engine: Engine,
    begin: @escaping Begin
  ) {
    self.finder = finder
    self.attachment = attachment
    self.whole = whole
    self.engine = engine
    self.begin = begin
  }

  func connected(_ attachment: Attachment, to node: Node) { sliceChanged() }

  func sliceChanged() {
    guard attachment.isServed else { return }
    let (whole, parent) = (whole.value.lent, whole.node)
    guard let lifetime else {
      return beginLifetime(finder.makeNode(in: whole, under: parent))
    }
    switch finder.refresh(lifetime.place, in: whole, under: parent) {
    case .unchanged: break
    case .changed: lifetime.place.node.serveEffects()
    case .gone: endLifetime()
    case .replaced(let place):
      endLifetime()
      beginLifetime(place)
    }
  }

  private func beginLifetime(_ place: WatchedNode<Finder.Part>?) {
    // The finder has called functions of the user's, which may have ended this.
    guard let place, attachment.phase == .connected, !engine.isClosing(attachment.scope) else { return }
    let lifetime = Lifetime(scope: Scope(parent: attachment.inner, isMortal: true), place: place)
    lifetime.scope.place = place.node
    // On record before the closure is called, which may end it.
    self.lifetime = lifetime
    engine.beginPart { begin(lifetime) }
  }

  private func endLifetime() {
    guard let lifetime else { return }
    self.lifetime = nil
    engine.endPart(lifetime.scope, at: lifetime.place.node)
  }

  func ended(_ attachment: Attachment) { endLifetime() }

  func collectDisplays(_ batch: inout DisplayBatch) { lifetime?.place.node.collectDisplaysIfChanged(&batch) }

  func forEachPart(_ body: (Node) -> Void) {
    if let lifetime { body(lifetime.place.node) }
  }
}
