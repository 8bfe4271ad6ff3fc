/// The one binding of all components, views and sequences of values of a store, which differ in their displays alone.
final class DisplayBinding: Binding {
  private unowned let engine: Engine  // which owns this
  private var views = ViewSweep()

  init(_ engine: Engine) { self.engine = engine }

  func connected(_ attachment: Attachment, to node: Node) {
    guard let box = node.erasedBox else {
      preconditionFailure("a display is connected to a slice, which keeps its value")
    }
    guard let display = attachment.asDisplay else {
      preconditionFailure("connection #\(attachment.id) is bound as a display and is none")
    }
    let slice = DisplayBatch.Slice(box: box, displays: [display])
    engine.updates.arrived(DisplayBatch(slices: [slice]), engine)
    guard display.lane == .main else { return }
    let looked = views.viewConnected(display)
    // With no lock held, since a view that is looked at may go right then.
    engine.decided.deliver { [engine] in
      let gone = looked.filter(\.isGone)
      if !gone.isEmpty { engine.locked { for view in gone { engine.end(view) } } }
    }
  }

  func ended(_ attachment: Attachment) {
    guard let display = attachment.asDisplay else { return }
    if let wake = display.recordEnd() { engine.decided.deliver(wake) }
    engine.decided.release(engine.updates.connectionEnded(display))
  }

  func workUnderWay(of attachment: Attachment) -> Int {
    attachment.asDisplay?.conflation.isBusy == true ? 1 : 0
  }
}

/// Looks for views that have died on slices which never change: at two of the connected ones whenever another is
/// connected, so that the dead are never more than the living.
struct ViewSweep {
  private var views: [Display] = []
  private var hand = 0

  /// - Returns: which ones are to be looked at.
  mutating func viewConnected(_ view: Display) -> [Display] {
    views.append(view)
    var looked: [Display] = []
    for _ in 0..<2 where !views.isEmpty {
      if hand >= views.count { hand = 0 }
      if views[hand].phase == .connected {
        looked.append(views[hand])
        hand += 1
      } else {
        views.swapAt(hand, views.count - 1)
        views.removeLast()
      }
    }
    return looked
  }
}
