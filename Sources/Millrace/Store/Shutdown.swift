/// What a shutdown left behind.
public struct ShutdownReport: Sendable, CustomStringConvertible {
  /// What had not returned by the hard deadline, by name of the connection.
  public let unfinished: [StoreActivity.Entry]
  /// Whether everything has returned.
  public var isClean: Bool { unfinished.isEmpty }

  /// One line for each that has not returned; `clean` if there is none.
  public var description: String {
    isClean ? "clean" : unfinished.map(\.description).joined(separator: "\n")
  }
}

extension Engine {
  /// Ends what is connected through `scope`, in the order in which shutting down promises it.
  func shutDown(
    _ scope: Scope, graceful: Duration, hard: Duration?, clock: any Clock<Duration>
  ) async -> ShutdownReport {
    close(scope)
    // What was accepted before is reduced; nothing new starts meanwhile.
    await raceSettled(scope, against: graceful, clock)
    await acceptedTurns(of: scope)
    locked { outcome in
      for attachment in attachments(in: scope) where !attachment.place.isDisplay && !attachment.isWitness {
        end(attachment, outcome)
      }
    }
    let isSettled = await raceSettled(scope, against: hard, clock)
    locked { outcome in
      for attachment in attachments(in: scope) { end(attachment, outcome) }
    }
    // Observers are told of the ends, too.
    if isSettled { await raceSettled(scope, against: hard, clock) }
    return locked { _ in
      let excluded = CurrentWork.work
      let left = tables.unfinished.values.filter {
        $0.place.scope.isWithin(scope) && !$0.isQuiet(but: excluded)
      }
      return ShutdownReport(unfinished: left.sorted { $0.place.id < $1.place.id }.map(entry))
    }
  }

  /// Accepts nothing more through `scope`, and starts nothing more for it.
  private func close(_ scope: Scope) {
    locked { _ in
      scope.isClosing = true
      mail.withLock { mail in
        scope.isClosed = true
        if scope.parent == nil { mail.isClosed = true }
      }
    }
  }

  /// Returns when everything that was accepted by now has had its turn.
  private func acceptedTurns(of scope: Scope) async {
    await withUnsafeContinuation { continuation in
      post(in: scope, site: CallSite(fileID: #fileID, line: #line)) { _, outcome in
        outcome.deliver { continuation.resume() }
      }
    }
  }

  /// - Returns: whether it was settled within the limit.
  @discardableResult
  private func raceSettled(
    _ scope: Scope, against limit: Duration?, _ clock: any Clock<Duration>
  ) async -> Bool {
    guard let limit else { return await wait(until: .settled(scope)) }
    if limit <= .zero { return false }
    return await withTaskGroup { group in
      group.addTask { await self.wait(until: .settled(scope)) }
      group.addTask {
        try? await clock.sleep(for: limit)
        return false
      }
      let isSettled = await group.next() ?? false
      group.cancelAll()
      return isSettled
    }
  }

  /// The last handle is gone: accepts nothing more, reduces what was accepted, and ends all.
  func lastHandleWasReleased() {
    locked { _ in
      mail.withLock { $0.isClosed = true }
    }
    post(in: scope, site: CallSite(fileID: #fileID, line: #line)) { engine, outcome in
      engine.scope.isClosing = true
      for attachment in engine.attachments(in: engine.scope) { engine.end(attachment, outcome) }
    }
  }
}
