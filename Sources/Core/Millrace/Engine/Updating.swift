/// Makes the updates of components and views, with no lock held.
///
/// Servers, which are tasks, update components. While anything waits, one more server is about to arrive. If the others
/// have advanced since its last look, it yields to them. Otherwise an update of another server blocks or suspends, and
/// the new server serves. So no update delays another, although not every update needs a task.
///
/// One job of the main actor at a time shows views. A value that arrives during a job is shown by another job, so that
/// the main actor can do other work in between.
extension Engine {
  /// Puts displays in line for the new values of their slices. The turn lock must be held.
  func arrived(_ slices: some Sequence<DisplayBatch>) {
    guard let released = tree.released else { return }  // nothing is watched
    updates.withLock { line in
      for slice in slices {
        for display in slice.displays {
          if display.lane != .consumer {
            line.arrived(display, slice.box, released)
          } else if let wake = display.record(slice.box, released) {
            deliver(wake)
          }
        }
      }
      if line.components.summons() { deliver { self.serve(.task, seen: nil) } }
      if line.views.summons() { deliver { self.serve(.main, seen: nil) } }
    }
  }

  /// Begins a server or a job.
  ///
  /// - Parameter seen: the number of displays that the others have taken; `nil` if there are none.
  private func serve(_ lane: Display.Lane, seen: UInt64?) {
    if lane == .main {
      Task.detached { @MainActor in self.showViews() }
    } else {
      _ = begin(nil) { await self.updateComponents(seen: seen) }
    }
  }

  private func updateComponents(seen: UInt64?) async {
    var seen = seen
    while updates.withLock({ $0.serverWaits(&seen) }) { await Task.yield() }
    var updated: Display?
    while let commit = next(.task, after: updated) {
      let (display, box) = (commit.display, commit.box)
      updated = display
      guard isNews(commit) else { continue }
      await CurrentWork.$mark.withValue(.update(display, number: display.updates, self)) {
        await display.update(with: box)
      }
    }
  }

  /// Shows the newest value to each view that waits at this moment.
  @MainActor private func showViews() {
    var gone: [Display] = []
    var shown: Display?
    var rest = updates.withLock { $0.views.displays.count }
    while let commit = next(.main, after: shown, isLast: rest == 0) {
      rest -= 1
      shown = commit.display
      if isNews(commit), !commit.display.show(commit.box) { gone.append(commit.display) }
    }
    if !gone.isEmpty { locked { for view in gone { end(view) } } }
  }

  /// Ends one update and commits the next; `nil` if there is none.
  private func next(
    _ lane: Display.Lane, after updated: Display?, isLast: Bool = false
  ) -> UpdateLine.Commit? {
    let next = updates.withLock { $0.next(lane, after: updated, isLast: isLast) }
    if let summoned = next.summoned { serve(lane, seen: summoned) }
    if next.isEndAwaited || counter != nil, let updated { locked { workEnded(of: updated) } }
    return next.commit
  }

  /// Whether a value differs from the one before it. If so, emits the event of the update.
  private func isNews(_ commit: UpdateLine.Commit) -> Bool {
    let display = commit.display
    if let last = commit.last, display.areEqual(commit.box, last) { return false }
    if commit.isObserved {
      locked { emit { .updated(display.identity, sequence: turn.sequence) } }
    }
    return true
  }
}
