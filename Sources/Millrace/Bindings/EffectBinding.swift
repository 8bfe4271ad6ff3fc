import MillraceSpelling

/// An effect component in its place: the shell around its run table.
///
/// Everything that varies is guarded by the turn lock.
final class EffectBinding<Effect: EffectComponent>: Watcher,
  @unchecked Sendable  // what varies is guarded by the turn lock
{
  /// Without the types of the requests.
  typealias Table = RunTable<Erased, AskedRequest>

  unowned let engine: Engine  // which owns this; a body that outlives it asks its run for the engine
  let attachment: Attachment
  let effect: Effect
  let requestKind = Erased.Kind<Effect.Request>()
  private let idKind = Erased.Kind<Effect.ID>()
  private let priority: TaskPriority?
  let post: @Sendable (Effect.Action, Engine, consuming Sending) -> Bool
  let watched: any Watched<Effect.State>
  /// The requests of the state when it was last looked at.
  var asked: Set<Effect.Request> = []
  var table = Table()
  var runs: [UInt64: LiveRun] = [:]

  init(
    _ effect: Effect, at attachment: Attachment, watching watched: any Watched<Effect.State>,
    in engine: Engine, priority: TaskPriority?,
    post: @escaping @Sendable (Effect.Action, Engine, consuming Sending) -> Bool
  ) {
    self.effect = effect
    self.attachment = attachment
    self.watched = watched
    self.engine = engine
    self.priority = priority
    self.post = post
  }

  // MARK: Deciding

  func connected(_ attachment: Attachment, to node: Node) {
    engine.holder?.connected(attachment.identity, effect)
    sliceChanged()
  }

  func sliceChanged() {
    guard attachment.isServed else { return }
    let requests = watched.lent.lend { effect.requests(in: $0) }
    if requests != asked { requestsChanged(to: requests) }
  }

  func ended(_ attachment: Attachment) { requestsChanged(to: []) }

  func requestsChanged(to requests: Set<Effect.Request>) {
    // While shutting down nothing new starts, and what is asked for goes on.
    let requests =
      !requests.isEmpty && engine.isClosing(attachment.scope) ? requests.filter(isAsked) : requests
    // The user's functions are called before anything is changed: they may call anything, also end this.
    let replacement = effect.replacement
    var identified: [(id: Erased, request: AskedRequest)] = []
    for request in requests {
      let asked = asked(request)
      identified.append((asked.id, asked))
    }
    guard requests.isEmpty || attachment.phase == .connected, requests != asked else { return }
    let former = asked
    asked = requests
    let steps = table.requestsChanged(
      to: identified, replacement: replacement, generations: &engine.generations)
    for step in steps.ends { perform(step) }
    for step in steps.others { perform(step) }
    engine.decided.keep((former, identified, table.takeDropped()))
  }

  private func isAsked(_ request: Effect.Request) -> Bool {
    let asked = asked(request)
    return table.goesOn(with: asked, id: asked.id, effect.replacement)
  }

  private func asked(_ request: Effect.Request) -> AskedRequest {
    AskedRequest(id: Erased(effect.id(of: request), idKind), request: Erased(request, requestKind))
  }

  func typed(_ asked: AskedRequest) -> Effect.Request { asked.request.value(requestKind) }

  private func perform(_ step: Table.Step) {
    switch step {
    case .create(let generation, let request, let begins): create(generation, request, begins: begins)
    case .begin(let generation):
      guard let entry = runs[generation] else { return }
      // While shutting down nothing begins, not what has waited for its predecessor either.
      if engine.isClosing(attachment.scope) { return perform(.discard(generation: generation)) }
      begin(entry)
    case .stop(let generation):
      guard let run = runs[generation]?.run else { return }
      end(run, ending(of: run), run.phase == .running ? .stopping : .neverBegins)
      count(run, by: 1)  // a stopped body is waited for, even where the run was not
      engine.decided.stop(run)
    case .discard(let generation):
      guard let entry = runs.removeValue(forKey: generation) else { return }
      entry.behind?.end()
      entry.run.phase = .stopped
      leave(entry.run)
      engine.decided.keep(entry)
    case .handOver(let generation, let request):
      guard let entry = runs[generation], let handover = entry.handover else { return }
      engine.decided.deliver(handover.put(request.request))
      let value = typed(request)
      entry.newest = value
      engine.emit { .runHandedOver(entry.run.identity, request: value) }
    case .clash(let first, let second):
      let (first, second) = (typed(first), typed(second))
      engine.report(.clashingRequests, attachment.site) { [label = attachment.label] in
        "\(label.text) asks for two requests of one identity: "
          + "\(Spelling.text(of: first)) is served, \(Spelling.text(of: second)) is not"
      }
    }
  }

  // MARK: Running

  private func create(_ generation: UInt64, _ asked: AskedRequest, begins: Bool) {
    let request = typed(asked)
    let run = Run(
      generation: generation, request: request, attachment: attachment,
      cause: engine.causeOfRun(at: attachment, request: request), engine: engine)
    attachment.scope.countRun(counted: 0, all: 1)
    if !attachment.isBackground { count(run, by: 1) }
    let entry: LiveRun
    if effect.replacement == .handOver {
      entry = handed(request, to: run, asked.id)
    } else {
      let body = body(of: run) { [effect] send throws(Effect.Failure) in
        try await effect.run(request, send: send)
      }
      entry = LiveRun(run: run, id: asked.id, body: body, handover: nil)
    }
    runs[generation] = entry
    if begins { return begin(entry) }
    let behind = Wait(.run(run), .byOthers) { "the run before it" }
    entry.behind = behind
    behind.begin()
  }

  private func begin(_ entry: LiveRun) {
    let run = entry.run
    entry.behind?.end()
    engine.emit { .runStarted(run.identity, startedBy: run.cause.action) }
    if let holder = engine.holder { return hold(run, by: holder) }
    engine.decided.start { [priority, body = entry.body] in
      run.begin(priority: priority, body)
    }
  }

  private func hold(_ run: Run, by holder: any RunHolder) {
    let held = HeldRun(run, of: self)
    runs[run.generation]?.held = held
    engine.decided.start {
      if run.hold(as: held) { holder.begun(held) } else { self.returned(run) }
    }
  }

  func serve(_ run: Run) {
    guard let body = engine.locked({ runs[run.generation]?.body }) else { return }
    run.begin(priority: priority, body)
  }

  /// A run that takes the values that its request gets.
  private func handed(_ request: Effect.Request, to run: Run, _ id: Erased) -> LiveRun {
    let updates = RequestUpdates(request)
    let body = body(of: run) { [effect] send throws(Effect.Failure) in
      try await effect.run(updates, send: send)
    }
    let handover = LiveRun.Handover(
      put: { [requestKind] in
        updates.put($0.value(requestKind))
        return updates.wake
      }, take: updates.take, taken: { updates.taken }, close: updates.close)
    return LiveRun(run: run, id: id, body: body, handover: handover)
  }

  /// Returns the body of the run's task.
  private func body(
    of run: Run, _ serve: @escaping @Sendable (Send<Effect.Action>) async throws(Effect.Failure) -> Void
  ) -> @Sendable () async -> Void {
    let send = Send<Effect.Action>(delivering: { [post] action, site in
      await withUnsafeContinuation { continuation in
        _ = post(action, run.engine, Sending(site: site, run: run, sender: continuation))
      }
    })
    return { [weak self] in
      // Between the decision and this line the run may have been stopped: then it never begins.
      guard run.enter() else {
        self?.returned(run)
        return
      }
      do throws(Effect.Failure) {
        try await serve(send)
        self?.returned(run)
      } catch {
        self?.failed(run, error)
      }
    }
  }

  /// Concludes a run whose body has returned, behind everything that it has sent.
  func returned(_ run: Run) {
    run.leave()
    engine.bodyReturned(run) { self.conclude(run) }
  }

  /// Concludes a run whose body has thrown. The failure becomes an action, which waits its turn as any other does.
  func failed(_ run: Run, _ failure: Effect.Failure) {
    run.leave()
    engine.post(through: attachment.scope, site: attachment.site) { _ in self.conclude(run, failure) }
  }

  private func action(for failure: Effect.Failure, of run: Run) -> Effect.Action? {
    let request = runs[run.generation]?.handover?.taken() ?? run.request
    return (request as? Effect.Request).map { effect.action(for: failure, of: $0) }
  }

  /// Why a run is stopped that has not returned.
  private func ending(of run: Run) -> StoreEvent.Ending {
    if let action = run.partEnded { return .answered(action: action) }
    if attachment.phase == .ended || attachment.scope.isOver { return .disconnected }
    return engine.turnRun === run ? .answered(action: engine.sequence) : .withdrawn(action: engine.sequence)
  }

  /// From here on nothing that the run sends is reduced.
  private func end(_ run: Run, _ ending: StoreEvent.Ending, _ phase: Run.Phase) {
    let wasLive = run.isLive
    run.phase = phase
    if wasLive { engine.emit { .runEnded(run.identity, ending, reduced: run.reduced) } }
  }

  /// - Parameter failure: becomes an action, unless the run has ended; `nil` if it has not failed.
  func conclude(_ run: Run, _ failure: Effect.Failure? = nil) {
    // Made before anything is changed: what makes it is the user's, and may end this.
    var action: Effect.Action?
    if let failure, run.isAdmitted { action = self.action(for: failure, of: run) }
    guard let entry = runs.removeValue(forKey: run.generation) else { return }
    entry.held?.answer.end()
    let isLeft = entry.handover?.close() ?? false
    let next = table.runReturned(
      run.generation, id: entry.id,
      leftValue: isLeft && !engine.isClosing(attachment.scope),
      generations: &engine.generations)
    engine.decided.keep((entry, table.takeDropped()))
    // One admission for everything that would touch the state.
    let isAdmitted = run.isAdmitted
    if !isAdmitted {
      end(run, ending(of: run), .stopped)
      engine.emit { .runReturned(run.identity, fenced: run.fenced) }
    } else if let failure, let action {
      end(run, .failed(failure, action: action), .returned)
    } else {
      end(run, .finished, .returned)
    }
    // On record before the failure's action, which may end it.
    if let next { perform(next) }
    if isAdmitted, let action {
      _ = post(action, engine, Sending(site: attachment.site, run: run, isInTurn: true))
    }
    leave(run)
    engine.workEnded(of: attachment)
  }

  // MARK: Counting

  private func count(_ run: Run, by difference: Int) {
    if run.isCounted == (difference > 0) { return }
    run.isCounted = difference > 0
    attachment.scope.countRun(counted: difference, all: 0)
  }

  private func leave(_ run: Run) {
    count(run, by: -1)
    attachment.scope.countRun(counted: 0, all: -1)
  }

  func workUnderWay(of attachment: Attachment) -> Int { runs.count }

  var workNotes: [WorkNote] {
    let live = runs.values.sorted { $0.run.generation < $1.run.generation }.map { entry in
      let request = entry.newest ?? entry.run.request
      return WorkNote(
        phase: Self.phase(of: entry.run), generation: entry.run.generation, request: .value(request))
    }
    return live
      + table.finished.map { WorkNote(phase: .finished, generation: nil, request: .value(typed($0))) }
  }

  private static func phase(of run: Run) -> StoreActivity.Work.Phase {
    if !run.isLive { return .stopping }
    return run.phase == .running ? .running : .starting
  }
}

extension Engine {
  /// The cause of a run that the current turn decides, with a report if its chain has become a loop.
  func causeOfRun(at attachment: Attachment, request: any Sendable) -> RunCause {
    var cause = RunCause(action: isActionTurn ? sequence : nil)
    guard let parent = turnRun else { return cause }
    let isFresh = parent.cause.instant.duration(to: cause.instant) >= options.loopBudget.quiet
    cause.depth = isFresh ? 1 : parent.cause.depth + 1
    guard cause.depth > options.loopBudget.runs, !reportedLoops.contains(attachment.id) else { return cause }
    var trail = isFresh ? LoopTrail() : parent.cause.trail ?? LoopTrail()
    let link = LoopTrail.Link(
      connection: attachment.id, action: currentAction ?? "?", slice: attachment.node?.path ?? "-",
      name: attachment.label.text, request: request)
    guard let cycle = trail.runStarted(link) else {
      cause.trail = trail
      return cause
    }
    reportedLoops.insert(attachment.id)
    report(.loop, attachment.site) { [name = link.name, depth = cause.depth] in
      "\(name) keeps answering its own result: \(depth) runs without outside cause, in the cycle "
        + cycle.map(\.text).joined(separator: " → ")
    }
    return cause
  }
}
