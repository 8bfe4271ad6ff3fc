/// The pace at which displays are served while actions wait, and the search for gone views. Guarded by the turn lock.
struct Displays {
  var pace = DisplayPace()
  var views = ViewSweep()
}

extension Engine {
  /// Connects a display at its node, and gives it the current value.
  func displayBegan(_ display: Display, at node: Node) {
    guard let box = node.erasedBox else {
      preconditionFailure("a display is connected to a slice, which keeps its value")
    }
    arrived(CollectionOfOne(DisplayBatch(box: box, displays: [display])))
    guard display.lane == .main else { return }
    let looked = displays.views.viewConnected(display)
    // No lock is held, since a checked view may be released at that moment.
    deliver {
      let gone = looked.filter(\.isGone)
      if !gone.isEmpty { self.locked { for view in gone { self.end(view) } } }
    }
  }

  func displayEnded(_ display: Display) {
    if display.lane == .main { displays.views.viewEnded() }
    if let wake = display.recordEnd() { deliver(wake) }
    let (next, given) = updates.withLock { _ in
      display.end()
      return (display.next.take(), display.given.take())
    }
    if let next { decide { $0.release(next) } }
    if let given { decide { $0.release(given) } }
  }

  /// Whether displays must be served although actions wait.
  func areDisplaysOverdue(after turns: Int) -> Bool {
    if !due.displays { return false }
    return displays.pace.turnsMade(turns, now: options.seams.now?() ?? .now)
  }

  /// Gives the new values of all slices that have changed to the components and views that watch them.
  func serveDisplays() {
    displays.pace = DisplayPace()
    guard due.displays else { return }
    due.displays = false
    guard let root = tree.root, root.displayCount > 0 else { return }
    var batches: [DisplayBatch] = []
    turn.evaluation = .selecting
    tree.isServing = true
    root.collectDisplays(&batches)
    tree.isServing = false
    turn.evaluation = .none
    if order.isShuffled { order.arrange(&batches) }
    arrived(batches)
  }
}
