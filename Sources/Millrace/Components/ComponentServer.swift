/// A task that updates components: the shell around its share of them.
final class ComponentServer: Sendable {
  private struct Contents {
    var share = ComponentShare()
    /// What tells from within an update that it is one.
    var mark: UpdateMark?
    var size = ShareSize()
    /// How many it took last, and when.
    var taken: (count: Int, at: Moment)?
  }

  private let contents = Lock(Contents())

  // MARK: The task

  /// Updates what there is to update. An update under way keeps no store alive.
  nonisolated(nonsending) func serve(_ engine: WeakEngine) async {
    var isDone = false
    while !isDone {
      let mark = UpdateMark(self)
      var first = contents.withLock { contents in
        contents.mark = mark
        return contents.share.advance()
      }
      await CurrentWork.$mark.withValue(mark) { isDone = await serve(engine, first.take(), under: mark) }
    }
  }

  /// - Returns: `false` if another mark is needed.
  private nonisolated(nonsending) func serve(
    _ engine: WeakEngine, _ first: consuming ServedComponent?, under mark: UpdateMark
  ) async -> Bool {
    let holders = mark.holderCount
    var next = first.take()
    while true {
      if next == nil { next = advance() }
      if next == nil { next = await refilled(engine) }
      guard let component = next.take() else { return true }
      next = await type(of: component).update(consume component, by: self, under: mark)
      if mark.holderCount != holders { return false }
    }
  }

  /// So often a server lets others have the thread, rather than wait for the turn lock.
  private static let patience = 16

  /// What to update next, once it has got more. Waiting for the turn lock would hold up the reducer queue as well, which
  /// comes back to it at once, and then has to wait for a thread that falls asleep and wakes.
  private nonisolated(nonsending) func refilled(_ engine: WeakEngine) async -> ServedComponent? {
    shareEnded()
    var first: ServedComponent?
    for _ in 0..<Self.patience {
      guard let isRefilled = engine.engine?.refillIfFree(self, &first) else { return nil }
      if isRefilled { return first }
      await Task.yield()
    }
    return engine.engine?.refill(self)
  }

  private func shareEnded() {
    contents.withLock { contents in
      guard let taken = contents.taken.take() else { return }
      contents.size.shareEnded(count: taken.count, after: taken.at.duration(to: .now))
    }
  }

  /// What was updated last has been; the next begins.
  func advance() -> ServedComponent? { contents.withLock { $0.share.advance() } }

  /// The same, but the next does not begin yet.
  ///
  /// - Returns: `nil`.
  func updateEnded() -> ServedComponent? {
    contents.withLock { $0.share.updateEnded() }
    return nil
  }

  /// The component that is being updated under `mark`.
  func component(under mark: UpdateMark) -> ServedComponent? {
    contents.withLock { $0.mark === mark ? $0.share.current : nil }
  }

  // MARK: Its share, for who holds the turn lock

  var hasRemaining: Bool { contents.withLock { $0.share.remaining > 0 } }

  /// How many it takes next.
  var shareSize: Int { contents.withLock { $0.size.count } }

  /// - Returns: the first of them, which begins.
  func refill(_ components: [Unmanaged<ServedComponent>]) -> ServedComponent? {
    contents.withLock { contents in
      contents.share.refill(components)
      contents.taken = (components.count, .now)
      return contents.share.advance()
    }
  }

  func takeEnded() -> [Unmanaged<ServedComponent>] { contents.withLock { $0.share.takeEnded() } }

  func takeHalf() -> [Unmanaged<ServedComponent>] { contents.withLock { $0.share.takeHalf() } }

  func takeRemaining(where condition: (ServedComponent) -> Bool) -> [Unmanaged<ServedComponent>] {
    contents.withLock { $0.share.takeRemaining(where: condition) }
  }
}

/// A store's engine, for what is not to keep it alive.
struct WeakEngine: Sendable {
  weak let engine: Engine?
}

extension Engine {
  /// To be called at the end of each holding of the turn lock: what has come to wait meanwhile is served, and what is
  /// gone is not.
  func attendComponents(_ tables: EngineTables) {
    if tables.components.pointee.isStale { dropEndedFromShares() }
    guard tables.components.pointee.needsServer else { return }
    tables.components.pointee.serverWasMade()
    let engine = WeakEngine(engine: self)
    outcome.deliver {
      Task.detached {
        await ComponentServer().serve(engine)
      }
    }
  }

  /// Ends the updates that servers have made, and gives this one more, which begins with its first share.
  ///
  /// - Returns: the component to update next; `nil` if there is nothing to do, and the server ends.
  func refill(_ server: ComponentServer) -> ServedComponent? {
    // Let go after unlocking, since objects of the user's may go with them.
    var finished: [ServedComponent] = []
    return locked { _ in refill(server, &finished) }
  }

  /// The same, unless somebody else has the turn lock.
  ///
  /// - Returns: whether nobody had.
  func refillIfFree(_ server: ComponentServer, _ first: inout ServedComponent?) -> Bool {
    var finished: [ServedComponent] = []
    return lockedIfFree { _ in first = refill(server, &finished) } != nil
  }

  private func refill(_ server: ComponentServer, _ finished: inout [ServedComponent]) -> ServedComponent? {
    tables.components.pointee.serverCame(server)
    for server in tables.components.pointee.servers { updatesEnded(server.takeEnded(), &finished) }
    // An observer is told of an update just before it begins.
    var share = takeShare(atMost: progress.pointee.isObserved ? 1 : server.shareSize, &finished)
    if share.isEmpty { share = takeFromOthers() }
    if share.isEmpty { tables.components.pointee.serverEnded(server) }
    let first = server.refill(share)
    checkWaiters()
    return first
  }

  private func updatesEnded(_ components: [Unmanaged<ServedComponent>], _ finished: inout [ServedComponent]) {
    for component in components {
      component._withUnsafeGuaranteedRef { component in
        if component.updateEnded(self) {
          finish(component, &finished)
        } else {
          tables.components.pointee.componentArrived(component)
        }
      }
    }
  }

  /// Nobody serves it any more.
  private func finish(_ component: ServedComponent, _ finished: inout [ServedComponent]) {
    guard component.place.phase == .ended else { return }
    finished.append(component)
    forgetIfEnded(component)
  }

  /// Commits some of those that wait.
  private func takeShare(
    atMost size: Int, _ finished: inout [ServedComponent]
  ) -> [Unmanaged<ServedComponent>] {
    let components = tables.components
    var share: [Unmanaged<ServedComponent>] = []
    while share.count < size {
      if share.count.isMultiple(of: LookAhead.distance) { components.pointee.lookAhead() }
      guard let component = components.pointee.takeWaiting() else { break }
      let isCommitted = component._withUnsafeGuaranteedRef { component in
        if component.commitNext(self) { return true }
        finish(component, &finished)
        return false
      }
      if isCommitted { share.append(component) }
    }
    return share
  }

  private func takeFromOthers() -> [Unmanaged<ServedComponent>] {
    for server in tables.components.pointee.servers {
      let half = server.takeHalf()
      if !half.isEmpty { return half }
    }
    return []
  }

  /// Sees to it that nothing connected to a part of the state that is gone is updated any more.
  private func dropEndedFromShares() {
    tables.components.pointee.sharesWereLookedThrough()
    dropFromShares(where: \.isScopeEnded)
    checkWaiters()
  }

  /// Gives back what `condition` holds for, of what was committed and has not begun. It is still connected, or kept by
  /// who ends it.
  func dropFromShares(where condition: (ServedComponent) -> Bool) {
    for server in tables.components.pointee.servers {
      for component in server.takeRemaining(where: condition) {
        _ = component.takeUnretainedValue().commitNext(self)
      }
    }
  }
}
