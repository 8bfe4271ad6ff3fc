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
    guard case .main = attachment.display?.lane else { return }
    let looked = views.viewConnected(attachment)
    // With no lock held, since a view that is looked at may go right then.
    engine.decided.deliver { [engine] in
      let gone = looked.filter(\.viewer.isGone)
      if !gone.isEmpty { engine.locked { for (attachment, _) in gone { engine.end(attachment) } } }
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

  /// - Returns: which ones are to be looked at.
  mutating func viewConnected(_ attachment: Attachment) -> [(attachment: Attachment, viewer: any Viewer)] {
    views.append(attachment)
    var looked: [(attachment: Attachment, viewer: any Viewer)] = []
    for _ in 0..<2 where !views.isEmpty {
      if hand >= views.count { hand = 0 }
      if views[hand].phase == .connected, case .main(let viewer) = views[hand].display?.lane {
        looked.append((views[hand], viewer))
        hand += 1
      } else {
        views.swapAt(hand, views.count - 1)
        views.removeLast()
      }
    }
    return looked
  }
}
