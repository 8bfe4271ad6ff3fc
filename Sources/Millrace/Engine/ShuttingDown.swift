extension Engine {
  /// Ends what is connected through `scope`, in the order in which shutting down promises it. Whether the calling task
  /// is cancelled changes nothing.
  func shutDown(
    _ scope: Scope, graceful: Duration, hard: Duration?, clock: any Clock<Duration>
  ) async -> ShutdownReport {
    // A task of its own, which a cancellation of the caller does not reach. It inherits the mark of the run or update
    // inside which this is called.
    await Task { await self.shutDownInTask(scope, graceful: graceful, hard: hard, clock) }.value
  }

  private func shutDownInTask(
    _ scope: Scope, graceful: Duration, hard: Duration?, _ clock: any Clock<Duration>
  ) async -> ShutdownReport {
    beginClosing(scope)
    // Accepted actions are reduced, nothing new starts, and live runs deliver.
    await limit(to: graceful, clock) {
      await self.wait(until: .settled(scope), isCancellable: true, for: nil)
    }
    await acceptedTurns(of: scope)
    endWork(in: scope)
    await limit(to: hard, clock) {
      let caller: StaticString? = hard == nil ? "shutdown()" : nil
      guard await self.wait(until: .settled(scope), isCancellable: true, for: caller) else { return }
      self.endRest(in: scope)
      // Waits until observers have got the ends, too.
      await self.wait(until: .settled(scope), isCancellable: true, for: nil)
    }
    endRest(in: scope)
    return ShutdownReport(unfinished: unfinishedEntries(in: scope))
  }

  /// Accepts nothing more from outside through `scope`, and starts nothing more for it.
  private func beginClosing(_ scope: Scope) {
    locked {
      scope.isClosing = true
      mail.withLock { mail in
        scope.isClosed = true
        if scope.parent == nil, mail.phase == .open { mail.phase = .closing }
      }
    }
  }

  /// Returns when everything that was accepted by now has had its turn.
  private func acceptedTurns(of scope: Scope) async {
    let isCaughtUp = locked { mail.withLock { _ in scope.lastTicket <= turnsMade } }
    if isCaughtUp { return }
    await withUnsafeContinuation { continuation in
      post(through: scope, site: CallSite(fileID: #fileID, line: #line)) { _ in
        self.decided.deliver { continuation.resume() }
      }
    }
  }

  /// Stops all runs, a little at a time, so that readers of the state get their turn in between.
  private func endWork(in scope: Scope) {
    let isRoot = scope.parent == nil
    let effects = locked {
      if isRoot { mail.withLock { $0.phase = .closed } }
      return attachments(in: scope).filter { !$0.isDisplay && !$0.isWitness }
    }
    endSome(effects[...])
  }

  private func endRest(in scope: Scope) { endSome(locked { attachments(in: scope) }[...]) }

  private func endSome(_ attachments: ArraySlice<Attachment>) {
    var rest = attachments
    while !rest.isEmpty {
      let some = rest.prefix(TearDown.limit)
      locked { for attachment in some { end(attachment) } }
      rest = rest.dropFirst(some.count)
    }
  }

  /// Calls `body`, and cancels it when the time has passed.
  func limit(
    to time: Duration?, _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async -> Void
  ) async {
    guard let time else { return await body() }
    if time <= .zero { return }
    await withTaskGroup { group in
      group.addTask { await body() }
      group.addTask { try? await clock.sleep(for: time) }
      await group.next()
      group.cancelAll()
    }
  }

  /// The work that has not returned, but for that inside which this is called.
  private func unfinishedEntries(in scope: Scope) -> [StoreActivity.Entry] {
    let host = CurrentWork.mark
    let (left, waiting) = locked { () -> ([(Attachment, [WorkNote])], [Wait]) in
      let left = unfinished.values.filter { attachment in
        guard attachment.scope.isWithin(scope) else { return false }
        let own = host.map { $0.attachment === attachment && $0.isUnderWayIn(self) ? 1 : 0 } ?? 0
        return updates.withLock { attachment.binding?.workUnderWay(of: attachment) ?? 0 } > own
      }
      return (left.map { ($0, workNotes(of: $0)) }, waits.withLock { Array($0.values) })
    }
    let waitsOfWork = Dictionary(grouping: waiting) { WorkNote.Key($0.work) }
    return left.sorted { $0.0.id < $1.0.id }.map {
      StoreActivity.Entry($0.0, "-", isConnected: false, $0.1, waitsOfWork)
    }
  }

  /// The last handle is gone: accepts nothing more and begins nothing more, reduces what was accepted, and ends all.
  ///
  /// Takes no lock that a turn holds: the handle may go anywhere.
  func lastHandleWasReleased() {
    mail.withLock { mail in
      mail.isReleased = true
      mail.phase = .closed
    }
    post(through: scope, site: CallSite(fileID: #fileID, line: #line)) { _ in
      self.scope.isClosing = true
      self.endAll(self.attachments(in: self.scope)[...])
    }
  }

  /// Ends attachments in this turn and, where they are many, in turns to come.
  private func endAll(_ attachments: ArraySlice<Attachment>) {
    let some = attachments.prefix(TearDown.limit)
    for attachment in some { end(attachment) }
    let rest = attachments.dropFirst(some.count)
    if rest.isEmpty { return releaseState() }
    post(through: scope, site: CallSite(fileID: #fileID, line: #line)) { _ in self.endAll(rest) }
  }

}

extension CurrentWork {
  fileprivate func isUnderWayIn(_ engine: Engine) -> Bool { engine.updates.withLock { isUnderWay } }
}
