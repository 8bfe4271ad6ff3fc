extension Engine {
  /// Ends everything connected through `account`, in the order that `shutdown` promises. A cancellation of the calling
  /// task has no effect.
  func shutDown(
    _ account: Account, graceful: Duration, hard: Duration?, clock: any Clock<Duration>
  ) async -> ShutdownReport {
    // A task of its own, which a cancellation of the caller does not reach. It inherits the mark of the run or update
    // that contains the caller.
    await Task(priority: .high) { await self.shutDownInTask(account, graceful: graceful, hard: hard, clock) }
      .value
  }

  private func shutDownInTask(
    _ account: Account, graceful: Duration, hard: Duration?, _ clock: any Clock<Duration>
  ) async -> ShutdownReport {
    locked {
      mail.withLock { mail in
        if account.phase == .open { (account.phase, account.closesAfter) = (.closing, mail.tickets) }
      }
    }
    // Accepted actions are reduced, nothing new starts, and live runs deliver their results.
    _ = await limit(to: graceful, clock) {
      await self.wait(until: .settled(account), isCancellable: true, for: nil)
    }
    await acceptedTurns(of: account)
    let all = locked {
      mail.withLock { _ in account.phase = .closed }
      return allConnected(in: account)
    }
    let caller: StaticString? = hard == nil ? "shutdown()" : nil
    // A task of its own, since stopping very many runs may take long, and so may a handler of the user.
    let ending = Task {
      for step in Ending.shutdown.steps {
        switch step {
        case .end(let kinds): self.end(all.filter { kinds.contains($0.kind) })
        case .giveLastProps(let kinds): self.giveLastProps(to: all.filter { kinds.contains($0.kind) })
        case .awaitReturns: await self.wait(until: .settled(account), isCancellable: true, for: caller)
        }
      }
    }
    _ = await limit(to: hard, clock) { await ending.value }
    // The report is made before a cancelled `ending` ends the observers, which causes calls that nothing awaits.
    let host = CurrentWork.mark
    let left = activity(of: account) { connected in
      self.updates.withLock { _ in
        let isOwn = host?.connected === connected && host?.isUnderWay == true
        return connected.ownWork > (isOwn ? 1 : 0)
      }
    }
    ending.cancel()
    return ShutdownReport(unfinished: left.entries)
  }

  /// Waits until everything accepted before the call has had its turn.
  func acceptedTurns(of account: Account) async {
    let isCaughtUp = locked { mail.withLock { _ in account.lastTicket <= turn.number } }
    if isCaughtUp { return }
    await withUnsafeContinuation { continuation in
      post(through: account, site: CallSite(fileID: #fileID, line: #line)) { _ in
        self.deliver { continuation.resume() }
      }
    }
  }

  /// Ends connections in portions, so that readers of the state get the lock in between.
  private func end(_ ending: [Connected]) {
    for start in stride(from: 0, to: ending.count, by: Endings.limit) {
      locked { for connected in ending[start...].prefix(Endings.limit) { end(connected) } }
    }
  }

  /// Gives components and views their last props, since nothing more is reduced. From now on `settled()` waits for
  /// long-running ones too. Each has finished when its update has ended, independently of other work.
  private func giveLastProps(to shown: [Connected]) {
    locked {
      serveDisplays()
      for connected in shown {
        updates.withLock { _ in
          (connected as? Display)?.count()
          connected.hasLast = true
        }
        awaiters.workEnded(of: connected)
      }
    }
  }

  /// The root store was released. Accepts nothing more, begins nothing more, reduces what was accepted, and ends
  /// everything.
  ///
  /// Takes no lock that a turn holds, since the last reference may be released anywhere.
  func lastHandleWasReleased() {
    let (isUsed, isOver) = mail.withLock { mail in
      account.phase = .closed
      return (mail.tickets > 0, mail.connections == 0 && mail.schedule.isIdle && mail.drainsOnTheirWay == 0)
    }
    // Nothing waits and nothing was connected, so the state is released with the engine, which nothing else holds.
    if !isUsed { return }
    if isOver { return DrainWatch.remove(self) }
    post(through: account, site: CallSite(fileID: #fileID, line: #line)) { _ in
      self.endAll()
    }
  }
}
