import MillraceSpelling

/// A connected effect component. Its run table decides which runs begin and end, and this class carries that out.
///
/// All variables are guarded by the turn lock.
final class ConnectedEffect<Effect: EffectComponent>: Watcher,
  @unchecked Sendable  // its variables are guarded by the turn lock
{
  /// A run table that does not depend on the type of the requests.
  typealias Table = RunTable<AskedRequest.ID, AskedRequest>

  /// The engine owns this while it is connected, and ends this when the root store is released.
  let engine: Engine
  let priority: TaskPriority?
  /// `nil` when the connection has ended and all its work has returned. It does not change while a body is in progress.
  private(set) var placed: PlacedEffect<Effect>?
  /// Only while it is placed.
  var effect: Effect { placed!.effect }
  /// The requests of the state that was last evaluated. The set is kept, too, since a set that the state stores
  /// compares at once with itself.
  private(set) var requests: Set<Effect.Request> = []
  private var asked: [AskedRequest] = []
  var table = Table()
  var runs: [UInt64: Run] = [:]
  var isLoopReported = false

  init(
    _ effect: Effect, _ entry: Entry, at backend: Backend<Effect.State, Effect.Action>, in engine: Engine,
    priority: TaskPriority?
  ) {
    placed = PlacedEffect(effect, backend)
    self.engine = engine
    self.priority = priority
    super.init(entry)
  }

  override func forget() -> Any? {
    defer { placed = nil }
    let kept: AnyObject? = placed  // without its type, which would be looked up
    return kept
  }

  override var kind: ConnectionKind { .effect }

  // MARK: Deciding

  override func findNode() -> Node? { placed?.backend.node(engine) }

  override func connectionBegan() {
    if let placed { engine.options.holder?.connected(identity, placed.effect) }
    super.connectionBegan()
  }

  override func sliceChanged(at node: Node) {
    guard isServed, let placed else { return }
    let requests = node.borrowed(as: Effect.State.self).read { placed.effect.requests(in: $0) }
    requestsChanged(to: requests)
  }

  override func connectionEnded() { requestsChanged(to: []) }

  private func requestsChanged(to requests: Set<Effect.Request>) {
    guard let placed, requests != self.requests else { return }
    // The user's functions are called before anything changes, since they may call anything and even end this.
    let (engine, effect) = (engine, placed.effect)
    let replacement = effect.replacement
    var identified: [AskedRequest] = []
    for request in requests { identified.append(TypedRequest(request, id: effect.id(of: request))) }
    guard requests.isEmpty || phase == .connected else { return engine.decide { $0.keep(identified) } }
    let former = asked
    asked = identified
    self.requests = requests
    // The generations are moved out, so that no access to the turn lasts while the table calls the user's `==` and
    // `hash(into:)`.
    var generations = engine.turn.generations
    let steps = table.requestsChanged(
      to: identified.lazy.map { ($0.id, $0) }, replacement: replacement,
      isClosing: engine.isClosing(account), generations: &generations
    ) { dropped in engine.decide { $0.keep(dropped) } }
    engine.turn.generations = generations
    steps.inOrder(perform)
    engine.decide { $0.keep(former) }
  }

  func typed(_ asked: AskedRequest) -> Effect.Request {
    unsafeDowncast(asked, to: TypedRequest<Effect.Request, Effect.ID>.self).request  // made above
  }

  private func perform(_ step: Table.Step) {
    switch step {
    case .create(let generation, let request, let begins): create(generation, request, begins: begins)
    case .begin(let generation):
      if let run = runs[generation] { begin(run) }
    case .stop(let generation):
      guard let run = runs[generation] else { return }
      account.countRun(counted: run.isCounted ? 0 : 1, all: 0)
      end(run, ending(of: run), .stopping)
      if let server = run.server { engine.decide { $0.stop(server) } }
    case .discard(let generation):
      guard let run = runs.removeValue(forKey: generation) else { return }
      run.behind.take()?.end()
      uncount(run)
      run.phase = .stopped
      engine.decide { $0.keepEnded(run) }
    case .handOver(let generation, let request):
      guard let run = runs[generation], let handover = run.handover else { return }
      let value = typed(request)
      let wake = handover.hand(value)
      engine.deliver(wake)
      run.newest = value
      engine.emit { .runHandedOver(run.identity, request: value) }
    case .clash(let first, let second):
      let (first, second) = (typed(first), typed(second))
      engine.report(.clashingRequests, site) { [label] in
        "\(label.text) asks for two requests of one identity: "
          + "\(Spelling.text(of: first)) is served, \(Spelling.text(of: second)) is not"
      }
    }
  }

  // MARK: Running

  private func create(_ generation: UInt64, _ asked: AskedRequest, begins: Bool) {
    guard let placed else { return }
    let cause = RunCause(of: asked, for: self, in: engine)
    let run = Run(generation: generation, asked: asked, connected: self, cause: cause, engine: engine)
    if placed.effect.replacement == .handOver { run.handover = placed.handover(of: typed(asked)) }
    account.countRun(counted: run.isCounted ? 1 : 0, all: 1)
    runs[generation] = run
    if begins { return begin(run) }
    let behind = Wait(.run(run), .byOthers) { "the run before it" }
    run.behind = behind
    behind.begin()
  }

  private func begin(_ run: Run) {
    run.behind.take()?.end()
    engine.emit { .runStarted(run.identity, startedBy: run.cause.action) }
    engine.decide { $0.start(run) }
  }

  func serve(_ run: Run) async {
    guard engine.withTurnLock({ run.enter() }), let placed else { return returned(run) }
    do throws(Effect.Failure) {
      if let handover = run.handover {
        try await placed.serve(handover, for: run)
      } else {
        try await placed.effect.run(typed(run.asked), send: placed.send(from: run))
      }
      returned(run)
    } catch {
      failed(run, error)
    }
  }

  /// Concludes a run whose body has returned, after the turns of everything that it has sent.
  func returned(_ run: Run) { run.engine.bodyReturned(run) }

  /// Concludes a run whose body has thrown. Its failure becomes an action, unless the run has ended.
  func failed(_ run: Run, _ failure: Effect.Failure) {
    run.engine.bodyThrew(run) { phase in
      if phase == .closed, run.isLive { self.end(run, .disconnected, .stopped) }  // as the shutdown will do
      // The action is made before anything changes: `action(for:of:)` is the user's code and may end this connection.
      guard run.isAdmitted, let action = self.action(for: failure, of: run) else { return self.conclude(run) }
      self.conclude(run, .failed(failure, action: action)) {
        self.post(action, Sending(site: self.site, run: run, isInTurn: true))
      }
    }
  }

  /// - Returns: whether the action was accepted.
  @discardableResult
  func post(_ action: Effect.Action, _ sending: consuming Sending) -> Bool {
    placed?.backend.send(action, through: account, engine, sending) ?? false
  }

  private func action(for failure: Effect.Failure, of run: Run) -> Effect.Action? {
    let request = run.handover.flatMap { $0.lastTaken as? Effect.Request } ?? typed(run.asked)
    return placed?.effect.action(for: failure, of: request)
  }

  /// The ending of a run that is stopped before it returns.
  private func ending(of run: Run) -> StoreEvent.Ending {
    if let action = run.partEnded { return .answered(action: action) }
    if phase == .ended || account.isOver { return .disconnected }
    return engine.turn.run === run
      ? .answered(action: engine.turn.sequence) : .withdrawn(action: engine.turn.sequence)
  }

  /// Ends a run: nothing that it sends from now on is reduced.
  private func end(_ run: Run, _ ending: StoreEvent.Ending, _ phase: Run.Phase) {
    let wasLive = run.isLive
    run.phase = phase
    guard wasLive else { return }
    if case .answered = ending { run.isAnswered = true }
    engine.emit { .runEnded(run.identity, ending, reduced: run.reduced) }
  }

  func conclude(_ run: Run) { conclude(run, .finished) {} }

  /// - Parameters:
  ///   - ending: the ending of the run, unless it was stopped before.
  ///   - reduce: reduces the action for the failure, unless the run was stopped before.
  private func conclude(_ run: Run, _ ending: StoreEvent.Ending, then reduce: () -> Void) {
    guard runs.removeValue(forKey: run.generation) != nil else { return }
    let engine = engine
    if case .test(let held) = run.server {
      held.answer.end()
      engine.decide { $0.keep(held) }
    }
    let closed = run.handover?.close()
    if let wake = closed?.wake { engine.deliver(wake) }
    var generations = engine.turn.generations
    // No run begins during a shutdown, not even one that has waited for this one.
    let next = table.runReturned(
      run.generation, id: run.asked.id, leftValue: closed?.isLeft ?? false,
      isClosing: engine.isClosing(account),
      generations: &generations
    ) { dropped in engine.decide { $0.keep(dropped) } }
    engine.turn.generations = generations
    engine.decide { $0.keepEnded(run) }
    run.server = nil
    if runs.isEmpty, runs.capacity > 64 { runs = [:] }
    uncount(run)
    // The same check as in `Engine.makeTurn`.
    let isAdmitted = run.isAdmitted
    if isAdmitted {
      end(run, ending, .returned)
    } else {
      end(run, self.ending(of: run), .stopped)
      engine.emit { .runReturned(run.identity, fenced: run.fenced) }
    }
    // The next run is recorded before the failure is reduced, since the reducer may stop that run.
    if let next { perform(next) }
    if isAdmitted { reduce() }
    engine.workEnded(of: self)
  }

  // MARK: Counting

  private func uncount(_ run: Run) { account.countRun(counted: run.isCounted ? -1 : 0, all: -1) }

  override var ownWork: Int { runs.count }

  override var workNotes: [WorkNote] { notes }
}
