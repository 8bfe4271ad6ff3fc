/// The groups of views that wait for a value, and the pass that shows one of them its value: each view once, unless it
/// has ended by then. Guarded by the lock of the update line.
struct ViewLine {
  /// A view that is to be shown the value of the pass.
  struct Commit {
    let view: ViewEntry
    /// The box that it was shown last.
    let last: AnyObject?
  }

  private var groups = Fifo<ViewGroup>()
  private var isJobOnItsWay = false
  /// The group of the pass, and what its views are shown.
  private var group: ViewGroup?
  private var box: AnyObject?
  private var views: [ViewEntry] = []
  /// How many of them have had their turn.
  private var position = 0

  /// How many groups wait.
  var count: Int { groups.count }

  /// The slice of a group has a new value.
  mutating func arrived(_ box: AnyObject, for group: NodeViews.Group, _ replaced: ReplacedValues) {
    put(box, in: group.line, replaced)
    group.line.waiting = group.views
  }

  /// A view was connected to the slice of a group, which has this value.
  mutating func arrived(
    _ box: AnyObject, for view: ViewEntry, in group: ViewGroup, _ replaced: ReplacedValues
  ) {
    if view.isOff { return }
    view.group = group
    group.count += 1
    put(box, in: group, replaced)
    group.waiting.append(view)
  }

  private mutating func put(_ box: AnyObject, in group: ViewGroup, _ replaced: ReplacedValues) {
    if let next = group.next.take() { replaced.append(next) } else { groups.append(group) }
    group.next = box
    group.recount()
  }

  /// - Returns: whether to send a job to the main actor.
  mutating func summonsJob() -> Bool {
    if groups.isEmpty || isJobOnItsWay { return false }
    isJobOnItsWay = true
    return true
  }

  /// - Returns: whether to send another job.
  mutating func jobEnded() -> Bool {
    isJobOnItsWay = false
    return summonsJob()
  }

  // MARK: A pass

  /// - Returns: the box that the views of the next group are to be shown; `nil` if no group waits.
  mutating func beginPass() -> AnyObject? {
    guard let group = groups.takeFirst() else { return nil }
    group.isShown = true
    (self.group, box, views) = (group, group.next.take(), group.waiting)
    group.waiting = []
    return box
  }

  /// Begins the showing of the next view of the pass; `nil` if there is none.
  mutating func next() -> Commit? {
    while position < views.count {
      let view = views[position]
      position += 1
      // By identity first: a value that does not equal itself is not shown twice either.
      if view.isOff || view.scope.isOver || view.given === box { continue }
      let last = view.given.take()
      view.given = box
      view.isBeingShown = true
      return Commit(view: view, last: last)
    }
    return nil
  }

  /// Ends the showing of the view that is being shown its value.
  ///
  /// - Returns: the view, if its connection has ended.
  mutating func viewWasShown() -> ViewEntry? {
    guard position > 0 else { return nil }
    views[position - 1].isBeingShown = false
    return views[position - 1].isOff ? views[position - 1] : nil
  }

  /// - Returns: one of the views of the pass. The others share its scope.
  mutating func endPass() -> ViewEntry? {
    let last = views.last
    group?.isShown = false
    group?.recount()
    (group, box, views, position) = (nil, nil, [], 0)
    return last
  }
}

extension ViewGroup {
  /// Counts in its scope whether it waits or is shown.
  fileprivate func recount() {
    let isActive = isShown || next != nil && count > 0
    if isActive == isCounted { return }
    isCounted = isActive
    let step = isActive ? 1 : -1
    scope.upwards {
      $0.updates.all += step
      $0.updates.counted += step
    }
  }
}

extension ViewEntry {
  /// Whether it waits for a value, or is being shown one.
  var isActive: Bool { isBeingShown || group?.isCounted ?? false }

  /// Its connection has ended.
  ///
  /// - Returns: what it held, to be released when no lock is held.
  func end() -> [AnyObject] {
    isOff = true
    group?.count -= 1
    group?.recount()
    defer { (group, given) = (nil, nil) }
    return [group, given].compactMap { $0 }
  }
}

// MARK: - Showing views

extension UpdateLine {
  func beginJob(_ engine: Engine) {
    Task.detached { @MainActor in self.showViews(engine) }
  }

  /// Shows the value of its slice to each view that waits. What changes all the time comes again in a job of its own, so
  /// that others have the main actor in between.
  @MainActor private func showViews(_ engine: Engine) {
    var gone: [ViewEntry] = []
    for _ in 0..<line.withLock({ $0.views.count }) {
      let (box, isObserved) = line.withLock { ($0.views.beginPass(), $0.isObserved) }
      guard let box else { break }
      var news = News(box)
      while let commit = nextView(engine) {
        guard news.isNews(for: commit) else { continue }
        if isObserved { engine.locked { engine.emitUpdate(commit.view) } }
        if !commit.view.show(box) { gone.append(commit.view) }
      }
    }
    if line.withLock({ $0.views.jobEnded() }) { beginJob(engine) }
    if !gone.isEmpty { engine.locked { for view in gone { engine.end(view) } } }
  }

  /// Ends the showing of one view, and begins that of the next; `nil` at the end of the pass.
  private func nextView(_ engine: Engine) -> ViewLine.Commit? {
    var ended: [ViewEntry]?
    let commit = line.withLock { $0.nextView(&ended) }
    if let ended { engine.locked { for view in ended { engine.workEnded(of: view) } } }
    return commit
  }
}

/// Whether a value differs from those before: views that were shown the same one are compared once.
private struct News {
  private let box: AnyObject
  private var last: AnyObject?
  private var isEqual = false

  init(_ box: AnyObject) { self.box = box }

  mutating func isNews(for commit: ViewLine.Commit) -> Bool {
    guard let last = commit.last else { return true }
    if last !== self.last {
      self.last = last
      isEqual = commit.view.areEqual(box, last)
    }
    return !isEqual
  }
}

extension UpdateLine.Line {
  /// - Parameter ended: gets the views of whose updates the engine is to be told that they have ended.
  /// - Returns: the next view of the pass; `nil` at its end.
  fileprivate mutating func nextView(_ ended: inout [ViewEntry]?) -> ViewLine.Commit? {
    if let shown = views.viewWasShown() { ended = [shown] }
    if let commit = views.next() { return commit }
    if let last = views.endPass(), ended == nil, tells(last) { ended = [last] }
    return nil
  }
}
