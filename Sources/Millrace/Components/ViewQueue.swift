#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// What waits for the main actor.
protocol ServedOnMain: AnyObject, Sendable {
  /// Ends what was committed last and commits what comes next; `false` if nothing does. The turn lock must be held.
  func commitNext(_ engine: Engine) -> Bool
  /// Makes the updates that were committed. Called with no lock held.
  ///
  /// - Returns: whether all views are still there.
  @MainActor func show(_ engine: Engine, _ showing: Showing) -> Bool
}

/// The views that have new props, by slice, served together in one job of the main actor. Guarded by the turn lock.
struct ViewQueue {
  private var waiting = ServiceLine<any ServedOnMain>()
  /// What has more to show, but has been shown once.
  private var later: [any ServedOnMain] = []
  var isScheduled = false
  /// What the main actor is at.
  var showing: Showing?
  /// Connected views, and how many may be connected before the dead among them are looked for.
  var count = 0
  var sweepLimit = 64
  var isSweepDue = false

  mutating func viewsArrived(_ views: any ServedOnMain) { waiting.append(views) }

  /// What is served has more to show, which waits for the next job.
  mutating func comesAgain(_ views: any ServedOnMain) { later.append(views) }

  /// A job ends.
  ///
  /// - Returns: whether there is something for another.
  mutating func jobEnded() -> Bool {
    showing = nil
    for views in later { waiting.append(views) }
    later = []
    isScheduled = !waiting.isEmpty
    return isScheduled
  }

  mutating func nextWaiting() -> (any ServedOnMain)? { waiting.takeFirst() }
}

/// What the main actor is told by itself, while it shows views, of what the views do.
final class Showing {
  private let thread = pthread_self()
  /// Whether a view was disconnected. Touched by its own thread only.
  private(set) var isDisturbed = false

  /// A view was disconnected by the current thread.
  func viewEnded() {
    if pthread_equal(thread, pthread_self()) != 0 { isDisturbed = true }
  }

  /// - Returns: whether a view was disconnected since this was last asked.
  func wasDisturbed() -> Bool {
    defer { isDisturbed = false }
    return isDisturbed
  }
}

extension Engine {
  func serveOnMain(_ views: any ServedOnMain, _ outcome: Outcome) {
    tables.views.viewsArrived(views)
    if tables.views.isScheduled { return }
    tables.views.isScheduled = true
    makeJob(outcome)
  }

  private func makeJob(_ outcome: Outcome) {
    outcome.deliver { [weak self] in
      Task.detached { @MainActor in self?.serveViews() }
    }
  }

  @MainActor private func serveViews() {
    let showing = Showing()
    var shown: (any ServedOnMain)?
    var areAllThere = true
    while let views = nextViews(after: shown, areAllThere: areAllThere, showing) {
      areAllThere = views.show(self, showing)
      shown = views
    }
  }

  /// The next views to update; `nil` if none wait.
  private func nextViews(
    after shown: (any ServedOnMain)?, areAllThere: Bool, _ showing: Showing
  ) -> (any ServedOnMain)? {
    locked { outcome in
      if !areAllThere { viewWasLost(outcome) }
      tables.views.showing = showing
      if let shown, shown.commitNext(self) { return shown }
      while let views = tables.views.nextWaiting() {
        if views.commitNext(self) { return views }
      }
      if tables.views.jobEnded() { makeJob(outcome) }
      return nil
    }
  }

  /// A view was connected. Looks for dead ones whenever their number may have doubled, so that views which come
  /// and go on a slice that never changes leave nothing.
  func viewWasConnected(_ outcome: Outcome) {
    tables.views.count += 1
    if tables.views.count >= tables.views.sweepLimit { viewWasLost(outcome) }
  }

  /// Some view is gone: disconnects all that are, in a turn of their own, as the tree may be in use.
  func viewWasLost(_ outcome: Outcome) {
    if tables.views.isSweepDue { return }
    tables.views.isSweepDue = true
    outcome.deliver { [weak self] in
      guard let self else { return }
      locked { outcome in
        tables.views.isSweepDue = false
        var alive = 0
        var dead: [any Attachment] = []
        tables.tree.forEachAttachment { attachment in
          if attachment.isGone { dead.append(attachment) }
          if attachment is any GroupedDisplay { alive += 1 }
        }
        for attachment in dead { end(attachment, outcome) }
        tables.views.count = alive - dead.count
        tables.views.sweepLimit = max(64, tables.views.count * 2)
      }
    }
  }
}
