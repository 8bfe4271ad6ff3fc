/// An effect component in its place: the shell around its run table.
///
/// | field | guarded by |
/// |---|---|
/// | `place`, `table`, `runs` | the engine's turn lock |
/// | everything else | immutable |
final class EffectAttachment<Effect: EffectComponent>: Attachment, @unchecked Sendable {  // see the table
  var place: Place
  private let effect: Effect
  private let priority: TaskPriority?
  private let send: @Sendable (Effect.Action, Sending) -> Bool
  private var table = RunTable<Effect.ID, Effect.Request>()
  private var runs: [UInt64: Entry] = [:]

  private struct Entry {
    let run: Run
    let request: Effect.Request
    let updates: RequestUpdates<Effect.Request>?
    /// Whether a stopped predecessor holds it up.
    var isWaiting: Bool
  }

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
    var requests = effect.requests(in: slice.assumingMemoryBound(to: Effect.State.self).pointee)
    if place.scope.any(\.isClosing) {
      requests = requests.filter { table.contains($0, id: effect.id(of: $0)) }
    }
    requestsChanged(to: requests, engine, outcome)
  }

  func ended(_ engine: Engine, _ outcome: Outcome) {
    requestsChanged(to: [], engine, outcome)
  }

  private func requestsChanged(to requests: Set<Effect.Request>, _ engine: Engine, _ outcome: Outcome) {
    let steps = table.requestsChanged(
      to: requests, replacement: effect.replacement, generations: &engine.generations, id: effect.id(of:))
    for step in steps { perform(step, engine, outcome) }
  }

  private func perform(
    _ step: RunTable<Effect.ID, Effect.Request>.Step, _ engine: Engine, _ outcome: Outcome
  ) {
    switch step {
    case .create(let generation, let request, let begins):
      create(generation, request, begins: begins, engine, outcome)
    case .begin(let generation):
      begin(generation, engine, outcome)
    case .stop(let generation):
      guard let run = runs[generation]?.run else { return }
      run.isLive = false
      count(run, engine)  // a stopped body is waited for, even where the run was not
      outcome.stop(run)
      if !engine.observers.isEmpty { engine.emit(.runCancelled(run.identity)) }
    case .discard(let generation):
      guard let run = runs.removeValue(forKey: generation)?.run else { return }
      run.isLive = false
      run.phase = .returned
      uncount(run, engine)
    case .handOver(let generation, let request):
      guard let updates = runs[generation]?.updates else { return }
      outcome.deliver { updates.offer(request) }
    case .clash(let first, let second):
      engine.report(
        .clashingRequests, place.site,
        "\(place.name) asks for two requests of one identity: \(first) is served, \(second) is not")
    }
  }

  // MARK: Running

  private func create(
    _ generation: UInt64, _ request: Effect.Request, begins: Bool, _ engine: Engine, _ outcome: Outcome
  ) {
    let cause = engine.causeOfRun(at: place, slice: place.node?.path ?? "-", request: request)
    let run = Run(generation: generation, request: request, place: place, cause: cause, engine: engine)
    let updates = effect.replacement == .handOver ? RequestUpdates(request) : nil
    runs[generation] = Entry(run: run, request: request, updates: updates, isWaiting: !begins)
    if !place.isBackground { count(run, engine) }
    if begins { begin(generation, engine, outcome) }
  }

  private func begin(_ generation: UInt64, _ engine: Engine, _ outcome: Outcome) {
    runs[generation]?.isWaiting = false
    guard let entry = runs[generation] else { return }
    if !engine.observers.isEmpty {
      engine.emit(.runStarted(entry.run.identity, startedBy: entry.run.cause.action))
    }
    outcome.start(entry.run, priority: priority, body(of: entry))
  }

  /// What the run's task executes.
  private func body(of entry: Entry) -> @Sendable () async -> Void {
    let run = entry.run
    let request = entry.request
    let updates = entry.updates
    return { [effect, sender = sender(for: run), weak self] in
      // Between the decision and this line the run may have been stopped: then it never begins.
      guard run.engine?.locked({ _ in run.commit() }) ?? false else {
        self?.returned(run, request, nil)
        return
      }
      do throws(Effect.Failure) {
        if let updates {
          try await effect.run(updates, send: sender)
        } else {
          try await effect.run(request, send: sender)
        }
        self?.returned(run, request, nil)
      } catch {
        self?.returned(run, request, error)
      }
    }
  }

  private func sender(for run: Run) -> Send<Effect.Action> {
    Send(delivering: { [send] action, site in
      await withUnsafeContinuation { continuation in
        _ = send(action, Sending(run: run, scope: run.scope, site: site, sender: continuation))
      }
    })
  }

  /// Takes the return of a body to the reducer queue, behind everything that it has sent.
  private func returned(_ run: Run, _ request: Effect.Request, _ failure: Effect.Failure?) {
    guard let engine = run.engine else { return }
    engine.post(in: place.scope, site: place.site) { [self] engine, outcome in
      returned(run, request, failure, engine, outcome)
    }
  }

  private func returned(
    _ run: Run, _ request: Effect.Request, _ failure: Effect.Failure?, _ engine: Engine, _ outcome: Outcome
  ) {
    guard runs.removeValue(forKey: run.generation) != nil else { return }
    run.phase = .returned
    run.task = nil
    let next = table.runReturned(run.generation, id: effect.id(of: request))
    if !run.isLive {
      if !engine.observers.isEmpty { engine.emit(.runEnded(run.identity)) }
    } else if let failure {
      if !engine.observers.isEmpty { engine.emit(.runFailed(run.identity, error: failure)) }
      let sending = Sending(mode: .inTurn, run: run, scope: place.scope, site: place.site)
      _ = send(effect.action(for: failure, of: request), sending)
    } else if !engine.observers.isEmpty {
      engine.emit(.runFinished(run.identity))
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
        phase: phase(of: entry), generation: entry.run.generation, request: String(reflecting: entry.request))
    }
    let finished = table.finished.map {
      StoreActivity.Work(phase: .finished, generation: nil, request: String(reflecting: $0))
    }
    return live + finished.sorted { $0.request < $1.request }
  }

  private func phase(of entry: Entry) -> StoreActivity.Work.Phase {
    if !entry.run.isLive { return .stopping }
    return entry.run.phase == .began ? .running : .starting
  }
}

extension Run {
  /// The last look before a body's first line: whether the run is still wanted. The turn lock must be held.
  fileprivate func commit() -> Bool {
    guard isLive, phase == .decided, !scope.any(\.isEnded) else { return false }
    phase = .began
    return true
  }
}
