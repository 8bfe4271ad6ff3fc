/// The components and views that have new values, in line for their updates, and the making of these.
///
/// Updates of components are made by servers, which are tasks. To take a component from the line is to commit its
/// update: what ends before that gets none. While anything waits, one more server is on its way. When it arrives and the
/// others have advanced since its last look, it lets them have the thread; otherwise one of them is held up by an update
/// that blocks or suspends, and it serves. So an update holds up nobody else, without a task for each.
///
/// Views are shown by one job of the main actor at a time. What changes all the time comes again in a job of its own, so
/// that others have the main actor in between.
///
/// | field | guarded by |
/// |---|---|
/// | all that varies, with the conflation of every display and `Scope.updates` | the lock |
final class UpdateLine: Sendable {
  struct Line {
    fileprivate var components = Fifo<Display>()
    fileprivate var views = Fifo<Display>()
    /// Counts the components that were taken.
    fileprivate var advances: UInt64 = 0
    fileprivate var isServerOnItsWay = false
    /// Whether a job of the main actor is on its way or shows views.
    fileprivate var isJobOnItsWay = false
    /// Whether the engine gets the end of every update.
    var tellsOfAll = false
    var isObserved = false
  }

  /// An update that was committed.
  fileprivate struct Commit {
    let display: Display
    let box: AnyObject
    let last: AnyObject?
    let isObserved: Bool

    /// Whether the value differs from the one before; tells observers of the update if so.
    func isNews(_ engine: Engine) -> Bool {
      if let last, display.areEqual(box, last) { return false }
      if isObserved { engine.locked { engine.emitUpdate(display) } }
      return true
    }
  }

  let line = Lock(Line())

  // MARK: What arrives

  /// Slices have these new values. Called with the turn lock held.
  func arrived(_ batch: DisplayBatch, _ engine: Engine) {
    var wakes: [@Sendable () -> Void] = []
    let (serves, shows) = line.withLock { line in
      for slice in batch.slices {
        for display in slice.displays { line.arrived(slice.box, display, engine.released, &wakes) }
      }
      return (line.summonsServer(), line.summonsJob())
    }
    for wake in wakes { engine.decided.deliver(wake) }
    if serves { engine.decided.deliver { self.beginServer(engine, seen: nil) } }
    if shows { engine.decided.deliver { self.beginJob(engine) } }
  }

  // MARK: What ends

  /// A connection has ended: no update of it is committed any more. Called with the turn lock held.
  ///
  /// - Returns: what it held, to be released when no lock is held.
  func connectionEnded(_ display: Display) -> [AnyObject] {
    line.withLock { _ in
      display.end()
      defer { (display.next, display.given) = (nil, nil) }
      return [display.next, display.given].compactMap { $0 }
    }
  }

  /// A part of the state has ended: from here on nothing of it is committed. Called with the turn lock held.
  func end(_ scope: Scope) { line.withLock { _ in scope.isEnded = true } }

  /// Calls `body` with the lock held, to look at what is under way.
  func withLock<Result>(_ body: () -> Result) -> Result { line.withLock { _ in body() } }

  /// From now on the engine gets the end of every update.
  func watchAll() { line.withLock { $0.tellsOfAll = true } }

  /// Whether tasks wait for the last update that is counted in `scope`.
  func watch(_ scope: Scope, isAwaited: Bool) { line.withLock { _ in scope.isAwaited = isAwaited } }

  func observe(_ isObserved: Bool) { line.withLock { $0.isObserved = isObserved } }

  /// Nothing of a display is under way any more.
  ///
  /// - Returns: its component, to be released when no lock is held.
  func forget(_ display: Display) -> AnyObject? { line.withLock { _ in display.forget() } }

  // MARK: Serving components

  /// Sends a server on its way.
  private func beginServer(_ engine: Engine, seen: UInt64?) {
    _ = engine.begin(nil) { await self.serve(engine, seen: seen) }
  }

  /// - Parameter seen: how far the others were when the server was sent on its way; `nil` if there were none.
  private func serve(_ engine: Engine, seen: UInt64?) async {
    guard await waitsForNeed(seen: seen) else { return }
    var updated: Display?
    while let commit = next(after: updated, engine) {
      let (display, box) = (commit.display, commit.box)
      updated = display
      guard commit.isNews(engine) else { continue }
      await CurrentWork.$mark.withValue(.update(display, number: display.updates, engine)) {
        await display.update(with: box)
      }
    }
  }

  /// Returns when this server is needed, since the others do not advance; `false` if nothing waits any more.
  private func waitsForNeed(seen: UInt64?) async -> Bool {
    var seen = seen
    while true {
      let isNeeded: Bool? = line.withLock { line in
        if line.components.isEmpty || line.advances == seen ?? line.advances {
          line.isServerOnItsWay = false
          return !line.components.isEmpty
        }
        seen = line.advances
        return nil
      }
      if let isNeeded { return isNeeded }
      await Task.yield()
    }
  }

  /// Ends one update and commits the next; `nil` if nothing waits.
  private func next(after updated: Display?, _ engine: Engine) -> Commit? {
    let (commit, isToBeTold, summoned) = line.withLock { line in
      let isToBeTold = updated.map { line.updateEnded($0) } ?? false
      let commit = line.takeComponent()
      return (commit, isToBeTold, line.summonsServer() ? line.advances : nil)
    }
    if let summoned { beginServer(engine, seen: summoned) }
    if isToBeTold, let updated { engine.locked { engine.workEnded(of: updated) } }
    return commit
  }

  // MARK: Showing views

  private func beginJob(_ engine: Engine) {
    Task.detached { @MainActor in self.showViews(engine) }
  }

  /// Shows its newest value to each view that waits at this moment.
  @MainActor private func showViews(_ engine: Engine) {
    var gone: [Display] = []
    var shown: Display?
    var rest = line.withLock { $0.views.count }
    while let commit = nextView(after: shown, isThere: rest > 0, engine) {
      rest -= 1
      shown = commit.display
      if commit.isNews(engine), !commit.display.show(commit.box) { gone.append(commit.display) }
    }
    if !gone.isEmpty { engine.locked { for view in gone { engine.end(view) } } }
  }

  /// Ends the showing of one view and begins that of the next; `nil` at the end of the job.
  private func nextView(after shown: Display?, isThere: Bool, _ engine: Engine) -> Commit? {
    let (commit, isToBeTold, shows) = line.withLock { line in
      let isToBeTold = shown.map { line.updateEnded($0) } ?? false
      let commit = isThere ? line.takeView() : nil
      if commit == nil { line.isJobOnItsWay = false }
      return (commit, isToBeTold, line.summonsJob())
    }
    if shows { beginJob(engine) }
    if isToBeTold, let shown { engine.locked { engine.workEnded(of: shown) } }
    return commit
  }
}

extension UpdateLine.Line {
  fileprivate mutating func arrived(
    _ box: AnyObject, _ display: Display, _ released: ReleasedValues,
    _ wakes: inout [@Sendable () -> Void]
  ) {
    switch display.lane {
    case .task: if display.arrived(box, released) { components.append(display) }
    case .main: if display.arrived(box, released) { views.append(display) }
    case .consumer:
      if let wake = display.record(box, released) { wakes.append(wake) }
    }
  }

  fileprivate mutating func summonsServer() -> Bool {
    if components.isEmpty || isServerOnItsWay { return false }
    isServerOnItsWay = true
    return true
  }

  fileprivate mutating func summonsJob() -> Bool {
    if views.isEmpty || isJobOnItsWay { return false }
    isJobOnItsWay = true
    return true
  }

  /// Takes the next component that is to be updated.
  fileprivate mutating func takeComponent() -> UpdateLine.Commit? {
    while let display = components.takeFirst() {
      guard let commit = commit(display) else { continue }
      advances += 1
      return commit
    }
    return nil
  }

  /// Takes the next view that is to be shown its props.
  fileprivate mutating func takeView() -> UpdateLine.Commit? {
    while let display = views.takeFirst() {
      if let commit = commit(display) { return commit }
    }
    return nil
  }

  /// Begins the update of a display that was taken from its line; `nil` if there is nothing to do any more.
  fileprivate mutating func commit(_ display: Display) -> UpdateLine.Commit? {
    if display.scope.isOver {
      display.end()  // what it holds is taken out when it is torn down
      return nil
    }
    guard display.taken(), let box = display.next.take() else { return nil }
    let last = display.given.take()
    display.given = box
    display.updates += 1
    return UpdateLine.Commit(display: display, box: box, last: last, isObserved: isObserved)
  }

  /// - Returns: whether the engine is to be told.
  fileprivate mutating func updateEnded(_ display: Display) -> Bool {
    if display.updateEnded() {
      if display.lane == .main { views.append(display) } else { components.append(display) }
    }
    return display.conflation.isEnded || tells(display)
  }

  /// Whether somebody may wait for the end of this update.
  private func tells(_ updated: Attachment) -> Bool {
    tellsOfAll || updated.scope.any { $0.isAwaited && $0.updates.counted <= 1 }
  }
}

/// The decisions of a display's conflation, with the work that they begin or end counted in its scope. The lock of the
/// line must be held.
extension Display {
  /// - Returns: whether to put the display in line.
  fileprivate func arrived(_ box: AnyObject, _ released: ReleasedValues) -> Bool {
    if conflation.isEnded { return false }
    if let next = next.take() { released.append(next) }
    let isGiven = box === given
    next = isGiven ? nil : box
    let wasActive = conflation.isActive
    let isQueued = conflation.arrived(isGiven: isGiven)
    count(since: wasActive)
    return isQueued
  }

  fileprivate func taken() -> Bool {
    let wasActive = conflation.isActive
    let isTaken = conflation.taken()
    count(since: wasActive)
    return isTaken
  }

  /// - Returns: whether to put the display in line again.
  fileprivate func updateEnded() -> Bool {
    let wasActive = conflation.isActive
    let isQueued = conflation.updateEnded()
    count(since: wasActive)
    return isQueued
  }

  fileprivate func end() {
    let wasActive = conflation.isActive
    conflation.connectionEnded()
    count(since: wasActive)
    // An update in progress is counted, also that of a background component.
    if conflation.isActive, !isCounted { scope.upwards { $0.updates.counted += 1 } }
    isCounted = true
  }

  private func count(since wasActive: Bool) {
    if conflation.isActive == wasActive { return }
    let step = wasActive ? -1 : 1
    let counted = isCounted ? step : 0
    scope.upwards {
      $0.updates.all += step
      $0.updates.counted += counted
    }
  }
}
