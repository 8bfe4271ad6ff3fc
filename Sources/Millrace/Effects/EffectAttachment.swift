/// An effect component in its place: the shell around its run table.
///
/// | field | guarded by |
/// |---|---|
/// | `place`, `asked`, `table`, `runs` | the engine's turn lock |
/// | everything else | immutable |
final class EffectAttachment<Effect: EffectComponent>: Attachment, @unchecked Sendable {  // as the table says
  let place: Place
  private let effect: Effect
  private let priority: TaskPriority?
  private let send: @Sendable (Effect.Action, Sending) -> Bool
  /// What the state asked for when it was last looked at.
  private var asked: Set<Effect.Request> = []
  private var table = RunTable<RequestKey, RequestKey>()
  private var runs: [UInt64: RunEntry] = [:]

  init(
    _ effect: Effect, at place: Place, priority: TaskPriority?,
    send: @escaping @Sendable (Effect.Action, Sending) -> Bool
  ) {
    self.place = place
    self.effect = effect
    self.priority = priority
    self.send = send
  }

  // MARK: Deciding

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    sliceChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    guard place.phase == .connected else { return }
    let requests = effect.requests(in: slice.assumingMemoryBound(to: Effect.State.self).pointee)
    if requests == asked { return }
    let isClosing = place.scope.any(\.isClosing)
    requestsChanged(to: isClosing ? requests.filter(isAsked) : requests, engine, outcome)
  }

  /// Whether `request` is asked for already.
  private func isAsked(_ request: Effect.Request) -> Bool {
    let key = RequestKey(box: RequestBox(request))
    return table.contains(key, id: identity(of: key))
  }

  func ended(_ engine: Engine, _ outcome: Outcome) {
    requestsChanged(to: [], engine, outcome)
  }

  @inline(never)  // most changes of a slice change no request
  private func requestsChanged(to requests: Set<Effect.Request>, _ engine: Engine, _ outcome: Outcome) {
    if requests == asked { return }
    asked = requests
    var keys: [RequestKey] = []
    keys.reserveCapacity(requests.count)
    for request in requests { keys.append(RequestKey(box: RequestBox(request))) }
    let steps = table.requestsChanged(
      to: keys, replacement: effect.replacement, generations: &engine.generations, id: identity)
    for step in steps { perform(step, engine, outcome) }
  }

  private func perform(
    _ step: RunTable<RequestKey, RequestKey>.Step, _ engine: Engine, _ outcome: Outcome
  ) {
    switch step {
    case .create(let generation, let request, let begins):
      create(generation, request, begins: begins, engine, outcome)
    case .begin(let generation):
      guard var entry = runs[generation] else { return }
      begin(&entry, engine, outcome)
      runs[generation] = entry
    case .stop(let generation):
      guard let run = runs[generation]?.run else { return }
      run.isLive = false
      count(run, engine)  // a stopped body is waited for, even where the run was not
      outcome.stop(run)
      if engine.progress.pointee.isObserved { engine.emit(.runCancelled(run.identity)) }
    case .discard(let generation):
      guard let run = runs.removeValue(forKey: generation)?.run else { return }
      run.isLive = false
      run.phase = .returned
      uncount(run, engine)
    case .handOver(let generation, let request):
      guard let updates = runs[generation]?.updates else { return }
      updates.put(request)
      outcome.deliver(updates.wake)
    case .clash(let first, let second):
      engine.report(
        .clashingRequests, place.site,
        "\(place.name) asks for two requests of one identity: \(first) is served, \(second) is not")
    }
  }

  // MARK: Naming

  /// The request in a key of this effect.
  private static func request(of key: RequestKey) -> Effect.Request {
    unsafeDowncast(key.box, to: RequestBox<Effect.Request>.self).request
  }

  private func identity(of key: RequestKey) -> RequestKey {
    let request = Self.request(of: key)
    let id = effect.id(of: request)
    guard Effect.ID.self == Effect.Request.self else { return RequestKey(box: RequestBox(id)) }
    // By default the identity is the request itself, and then the key serves for both.
    let same = unsafeBitCast(id, to: Effect.Request.self)  // the types are equal, as the guard has seen
    return same == request ? key : RequestKey(box: RequestBox(id))
  }

  // MARK: Running

  private func create(
    _ generation: UInt64, _ key: RequestKey, begins: Bool, _ engine: Engine, _ outcome: Outcome
  ) {
    let cause = engine.causeOfRun(at: place, request: key)
    let run = Run(generation: generation, request: key, place: place, cause: cause, engine: engine)
    if !place.isBackground { count(run, engine) }
    var entry = entry(for: run)
    if begins { begin(&entry, engine, outcome) }
    runs[generation] = entry
  }

  private func entry(for run: Run) -> RunEntry {
    if effect.replacement == .restart { return RunEntry(run: run, body: body(of: run), updates: nil) }
    let updates = RequestUpdates(Self.request(of: run.request))
    return RunEntry(
      run: run, body: body(of: run, updates),
      updates: ErasedUpdates(put: { updates.put(Self.request(of: $0)) }, wake: { updates.wake() }))
  }

  private func begin(_ entry: inout RunEntry, _ engine: Engine, _ outcome: Outcome) {
    guard let body = entry.body else { return }
    entry.body = nil
    if engine.progress.pointee.isObserved {
      engine.emit(.runStarted(entry.run.identity, startedBy: entry.run.cause.action))
    }
    outcome.start(entry.run, priority: priority, body)
  }

  /// What the run's task executes. One function, since the frames of each further one are kept for as long as it runs.
  ///
  /// - Parameter updates: where a changed request is handed over, if the effect takes it.
  private func body(
    of run: Run, _ updates: RequestUpdates<Effect.Request>? = nil
  ) -> @Sendable () async -> Void {
    { [sender = sender(for: run), effect, weak self] in
      // Between the decision and this line the run may have been stopped: then it never begins.
      guard run.enter() else {
        await self?.returned(run)
        return
      }
      do throws(Effect.Failure) {
        if let updates {
          try await effect.run(updates, send: sender)
        } else {
          try await effect.run(Self.request(of: run.request), send: sender)
        }
        await self?.returned(run)
      } catch {
        await run.leave()
        self?.failed(run, error)
      }
    }
  }

  private func sender(for run: Run) -> Send<Effect.Action> {
    Send(delivering: { [send] action, site in
      if let engine = run.engine, Opening.makesTurn(of: run), engine.claimDrain() {
        return engine.drain(inOpeningOf: run) { fate in
          _ = send(action, Sending(run: run, scope: run.scope, site: site, sender: .here(fate)))
        }
      }
      return await withUnsafeContinuation { continuation in
        _ = send(action, Sending(run: run, scope: run.scope, site: site, sender: .suspended(continuation)))
      }
    })
  }

  /// Concludes a run whose body has returned, behind everything that it has sent: at once if nothing of that waits or
  /// is admitted any more, by a turn of its own otherwise.
  private func returned(_ run: Run) async {
    guard let engine = run.engine else { return }
    let isConcluded = engine.lockedIfFree { outcome in
      guard !run.isLive || engine.isCaughtUp, run.leaveAtOnce(engine) else { return false }
      returned(run, engine, outcome)
      return true
    }
    if isConcluded == true { return }
    await run.leave()
    engine.post(in: place.scope, site: place.site) { [self] engine, outcome in returned(run, engine, outcome)
    }
  }

  private func returned(_ run: Run, _ engine: Engine, _ outcome: Outcome) {
    returned(run, engine, outcome) {
      if engine.progress.pointee.isObserved { engine.emit(.runFinished(run.identity)) }
    }
  }

  /// The same for a body that has thrown.
  private func failed(_ run: Run, _ failure: Effect.Failure) {
    run.engine?.post(in: place.scope, site: place.site) { [self] engine, outcome in
      returned(run, engine, outcome) {
        if engine.progress.pointee.isObserved { engine.emit(.runFailed(run.identity, error: failure)) }
        let sending = Sending(mode: .inTurn, run: run, scope: place.scope, site: place.site)
        _ = send(effect.action(for: failure, of: Self.request(of: run.request)), sending)
      }
    }
  }

  /// - Parameter conclude: called if the run was not stopped before.
  private func returned(_ run: Run, _ engine: Engine, _ outcome: Outcome, _ conclude: () -> Void) {
    guard runs.removeValue(forKey: run.generation) != nil else { return }
    run.phase = .returned
    let next = table.runReturned(run.generation, id: identity(of: run.request))
    if run.isLive {
      conclude()
    } else if engine.progress.pointee.isObserved {
      engine.emit(.runEnded(run.identity))
    }
    run.isLive = false
    if let next { perform(next, engine, outcome) }
    uncount(run, engine)
    engine.workEnded(of: self)
  }

  private func count(_ run: Run, _ engine: Engine) {
    if run.isCounted { return }
    run.isCounted = true
    engine.count(place.scope, by: 1)
  }

  private func uncount(_ run: Run, _ engine: Engine) {
    if !run.isCounted { return }
    run.isCounted = false
    engine.count(place.scope, by: -1)
  }

  // MARK: Telling

  var work: [any CountedWork] { runs.values.map(\.run) }

  var activity: [StoreActivity.Work] {
    let live = runs.values.sorted { $0.run.generation < $1.run.generation }.map { entry in
      StoreActivity.Work(
        phase: phase(of: entry), generation: entry.run.generation, request: "\(entry.run.request)")
    }
    let finished = table.finished.map {
      StoreActivity.Work(phase: .finished, generation: nil, request: "\($0)")
    }
    return live + finished.sorted { $0.request < $1.request }
  }

  private func phase(of entry: RunEntry) -> StoreActivity.Work.Phase {
    if !entry.run.isLive { return .stopping }
    return entry.run.phase == .began ? .running : .starting
  }
}

/// A run that has not returned.
private struct RunEntry {
  let run: Run
  /// What it does; `nil` once it has begun.
  var body: (@Sendable () async -> Void)?
  /// Where a changed request is handed over to it, if the effect takes it.
  let updates: ErasedUpdates?
}

/// The two halves of handing a request over, without its type.
private struct ErasedUpdates {
  let put: (RequestKey) -> Void
  let wake: @Sendable () -> Void
}
