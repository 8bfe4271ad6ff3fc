/// What stands for every component, view and sequence of values of a store: they differ in their displays alone.
final class DisplayBinding: Binding {
  private unowned let engine: Engine  // which owns this
  private var views = ViewSweep()

  init(_ engine: Engine) { self.engine = engine }

  func connected(_ attachment: Attachment, to node: Node) {
    guard let box = node.erasedBox else {
      preconditionFailure("a display is connected to a slice, which keeps its value")
    }
    engine.updates.arrived(
      DisplayBatch(slices: [DisplayBatch.Slice(box: box, displays: [attachment])], replaced: engine.replaced),
      engine)
    if case .main = attachment.display?.lane {
      for gone in views.viewConnected(attachment) { engine.end(gone) }
    }
  }

  func ended(_ attachment: Attachment) {
    guard let display = attachment.display else { return }
    if case .sequence(let sink) = display.lane, let wake = sink.ended() { engine.decided.deliver(wake) }
    engine.decided.release(engine.updates.connectionEnded(attachment, display))
  }

  func workUnderWay(of attachment: Attachment) -> Int {
    attachment.display?.conflation.isBusy == true ? 1 : 0
  }
}

/// Looks for views that have died on slices which never change: at two of the connected ones whenever another is
/// connected, so that the dead are never more than the living.
struct ViewSweep {
  private var views: [Attachment] = []
  private var hand = 0

  /// - Returns: connections of views that nobody holds any more.
  mutating func viewConnected(_ attachment: Attachment) -> [Attachment] {
    views.append(attachment)
    var gone: [Attachment] = []
    for _ in 0..<2 where !views.isEmpty {
      if hand >= views.count { hand = 0 }
      let view = views[hand]
      if view.phase == .connected, case .main(let viewer) = view.display?.lane, !viewer.isGone {
        hand += 1
      } else {
        if view.phase == .connected { gone.append(view) }
        views.swapAt(hand, views.count - 1)
        views.removeLast()
      }
    }
    return gone
  }
}
