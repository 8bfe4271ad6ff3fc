import Dispatch
import MillraceSpelling

/// The runtime of one store, free of its types: connections, decisions, waiters. ``StateEngine`` knows the types.
///
/// | field | guarded by |
/// |---|---|
/// | `mail`, and of each scope what it has accepted | the mailbox lock |
/// | `updates`, `waits`, `waitRecorders` | a lock of its own each |
/// | everything else that is `var` | the turn lock, held for a few turns at a time |
///
/// Locks are taken in this order: the turn lock, the lock of the update line, the mailbox lock or that of the waits. Any
/// may be left out. Nothing of the user's is called under any, but for what runs on the reducer queue: reducers,
/// selectors, `==` of slices, `requests(in:)`, `id(of:)`, `action(for:of:)`, lifetimes' closures and action
/// mappings.
class Engine: @unchecked Sendable {  // guarded as in the table
  /// Which of the user's pure functions the current turn is calling.
  enum Evaluation { case none, reducing, selecting }

  final let queue: ReducerQueue
  final let options: StoreOptions
  final let mail = Lock(Mailbox())
  /// The waits of runs and updates.
  final let waits = Lock<[ObjectIdentifier: Wait]>([:])
  /// The witnesses' recorders of waits, by the number of their connection.
  final let waitRecorders = Lock<[(id: UInt64, record: @Sendable (WitnessedWait) -> Void)]>([])
  /// Takes runs in place of their tasks. Kept beside the options, since reading one of these copies all.
  final let holder: (any RunHolder)?
  /// Records what is connected in place of connecting it.
  final let wiring: (any AnyObject & Sendable)?
  /// Counts what is at work, where a test settles without what waits for it.
  private(set) final var counter: JobCounter?
  private final let turnLock = TurnLock()

  /// The account of what is sent and connected through the store itself.
  final let scope = Scope(parent: nil)
  /// The line of components and views that have new values.
  final let updates = UpdateLine()
  /// The root of the tree of slices; made once something is connected.
  private(set) final lazy var root = makeRoot()
  final var hasRoot = false

  /// The number of the latest envelope that had its turn.
  final var turnsMade: UInt64 = 0
  /// The number of actions reduced, which is the sequence number of the last one.
  final var sequence: UInt64 = 0
  final var fenced: UInt64 = 0
  /// The number of the latest run.
  final var generations: UInt64 = 0
  final var evaluation = Evaluation.none
  /// The run that sent the action of the current turn.
  final var turnRun: Run?
  /// Whether the current turn is one of an action.
  final var isActionTurn = false
  final var decided = Decided()
  final let released = ReleasedValues()
  final var order: UnpromisedOrder

  /// Whether displays have not been served since the last change.
  final var areDisplaysDue = false
  final var pace = DisplayPace()

  /// Whether the tree of slices is being served.
  final var isServingTree = false
  /// Whether the closure of a lifetime is being called: what it connects is connected in this very turn.
  final var isBeginningPart = false
  final var tree = TreeChanges()
  /// Whether some change of the tree or some tearing down is due. Asked in every turn, for which a Boolean costs least.
  final var isTreeDue = false
  final var observers: [ObserverFeed<StoreEvent>] = []
  /// The witnesses' recorders of everything but reductions, by the number of their connection.
  final var eventRecorders: [(id: UInt64, record: (StoreEvent.Kind) -> Void)] = []
  /// Whether something gets the events: a look at the arrays would cost more.
  final var isObserved = false
  /// The attachment of which `connected` is being told.
  final var connecting: Attachment?
  /// Whether the events of reductions are among them.
  final var areReductionsObserved = false
  /// The connections that are in no node.
  final var witnesses: [Attachment] = []
  final var eventNumber: UInt64 = 0
  final var waiters = Waiters()
  /// Whether there are waiters. Asked in every turn, too.
  final var hasWaiters = false
  /// The ended connections of which some work has not ended, by number.
  final var unfinished: [UInt64: Attachment] = [:]
  final var tearDown = TearDown()
  /// The binding of all displays. Made at once, since connecting reads it with no lock held.
  private(set) final lazy var displays = DisplayBinding(self)
  /// The connections whose loops were reported.
  final var reportedLoops: Set<UInt64> = []

  init(queue: ReducerQueue, options: StoreOptions) {
    self.queue = queue
    self.options = options
    holder = options.seams.holder
    wiring = options.seams.wiring
    #if DEBUG
    order = UnpromisedOrder(seed: options.seams.orderSeed ?? ProcessEnvironment.number("MILLRACE_SHUFFLE"))
    #else
    order = UnpromisedOrder(seed: options.seams.orderSeed)
    #endif
    if options.seams.settlesWhenParked {
      counter = JobCounter(self)
      updates.watchAll()
    }
    _ = displays
    if options.seams.witness != nil { observersChanged() }
  }

  // MARK: What knows the types

  /// The name of the state's type.
  var stateName: String { isOverridden() }
  /// The root of a tree of slices of the state.
  func makeRoot() -> Node { isOverridden() }
  /// All has ended and the last handle is gone: lets go of the state.
  func releaseState() { isOverridden() }
  /// How many envelopes were taken from the mailbox and have not had their turn. The turn lock must be held.
  var waitingCount: Int { isOverridden() }
  /// The action of the current turn, for reports. The turn lock must be held.
  var currentAction: (any Sendable)? { isOverridden() }
  /// Makes turns on the current thread until nothing waits or the envelope with the ticket has had its turn.
  ///
  /// - Parameter holdsClaim: whether the thread is the one that the schedule of drains knows of.
  func drain(until ticket: UInt64?, holdsClaim: Bool) { isOverridden() }

  private final func isOverridden() -> Never { preconditionFailure("every engine is a StateEngine") }

  /// The name in activity lists. Spelled out only on demand.
  final var name: String { options.name ?? stateName }

  // MARK: The turn lock

  /// Calls `body` with the turn lock held, then performs what it decided.
  ///
  /// From inside a turn of this store the lock is held already, and the turn performs what is decided.
  final func locked<Result>(_ body: () -> Result) -> Result {
    if TurnFrame.isInside(self) { return body() }
    let (result, decided) = holding(body)
    perform(decided)
    if queue.isImmediate, mail.withLock({ !$0.isEmpty }) {
      drain(until: nil, holdsClaim: false)  // sent from within
    }
    return result
  }

  /// Performs what was decided while the lock was held.
  final func perform(_ decided: Decided) {
    decided.perform()
    if !decided.isEmpty { counter?.count(-1) }
  }

  /// Calls `body` with the turn lock held.
  ///
  /// - Returns: the result, and what is to be performed and then released.
  final func holding<Result>(_ body: () -> Result) -> (Result, Decided) {
    #if DEBUG
    if TurnFrame.isInsideAny { noticeWaitInsideOtherTurn() }
    #endif
    return turnLock.withLock {
      let result = TurnFrame.with(self) {
        let result = body()
        changeTree()
        resumeWaiters()
        return result
      }
      if order.isShuffled { decided.shuffle(&order) }
      if !decided.isEmpty { counter?.count(1) }
      decided.keepReleased(released.take())
      return (result, decided.take())
    }
  }

  final var isInsideTurn: Bool { TurnFrame.isInside(self) }

  // MARK: The mailbox

  /// Puts a command of the runtime's own in the mailbox, which takes it also when closed.
  ///
  /// - Parameter command: called with whether the mailbox accepted nothing else any more when it was put in.
  final func post(through scope: Scope, site: CallSite, _ command: @escaping (_ isLate: Bool) -> Void) {
    let step = mail.withLock { mail in
      let isLate = mail.phase != .open || scope.any(\.isClosed)
      let details = Envelope.Details(count: 0, scope: scope) { command(isLate) }
      return mail.accept(Envelope(site: site, details: details), through: scope)
    }
    if let step { perform(step) }
  }

  /// The body of a run has returned: `conclude` is called with the turn lock held, once everything that the run has sent
  /// has had its turn. By who drains: if the thread of the body took the lock, it would hold up the drain that what the
  /// run has sent begins.
  final func bodyReturned(_ run: Run, _ conclude: @escaping () -> Void) {
    perform(mail.withLock { $0.append(returned: run, conclude) })
  }

  /// Concludes some runs that have returned. The turn lock must be held, between turns.
  final func concludeReturns() {
    for item in mail.withLock({ $0.takeReturns(upTo: turnsMade) }) { item.conclude() }
  }

  /// Something is in the mailbox: sees to it that it is taken.
  final func perform(_ step: DrainSchedule.Step) {
    if queue.isImmediate {
      // Inside a turn of an immediate store the drain further up this stack takes it.
      if !isInsideTurn { drain(until: nil, holdsClaim: false) }
      return
    }
    if let drain = step.drain {
      queue.async(isRescue: step.isRescue) { self.drain(drain, isRescue: step.isRescue) }
    }
    if step.looksLater { lookLater() }
  }

  private final func lookLater() {
    queue.lookLater { self.perform(self.mail.withLock { $0.schedule.lookArrived() }) }
  }

  private final func drain(_ number: UInt64, isRescue: Bool) {
    guard mail.withLock({ $0.schedule.drainArrived(number, isRescue: isRescue) }) else { return }
    drain(until: nil, holdsClaim: true)
  }

  /// Has the calling thread make the turns of what `send` puts in the mailbox, and of all before it.
  final func drainHere(_ send: () -> Void) {
    let holdsClaim = !queue.isImmediate && mail.withLock { $0.schedule.callerArrived() }
    send()
    drain(until: mail.withLock(\.tickets), holdsClaim: holdsClaim)
  }

  /// Leaves what waits to another drain.
  final func handOnDrain() { perform(mail.withLock { $0.schedule.drainHandedOn() }) }

  /// The drain releases what it has consumed, which may take long: another one takes its place then.
  final func releaseBegan() -> UInt64 {
    let (release, looksLater) = mail.withLock { $0.schedule.releaseBegan() }
    if looksLater { lookLater() }
    return release
  }

  /// - Returns: whether the drain goes on.
  final func releaseEnded(_ release: UInt64) -> Bool { mail.withLock { $0.schedule.releaseEnded(release) } }

  /// Whether nothing new may begin through `scope`. The turn lock must be held.
  final func isClosing(_ scope: Scope) -> Bool {
    scope.any { $0.isClosing || $0.isEnded } || mail.withLock(\.isReleased)
  }

  // MARK: Serving the tree

  /// After a turn of an action: serves what watches slices that have changed.
  final func actionWasReduced() {
    areDisplaysDue = true
    guard hasRoot, root.effectCount > 0 else { return }
    isActionTurn = true
    defer { isActionTurn = false }
    evaluation = .selecting
    isServingTree = true
    root.serveEffects()
    isServingTree = false
    evaluation = .none
    changeTree()
  }

  /// Whether displays are to be served though more waits.
  final func areDisplaysOverdue(after turns: Int) -> Bool {
    if !areDisplaysDue { return false }
    var pace = pace
    defer { self.pace = pace }
    return pace.turnsMade(turns, now: options.seams.now?() ?? .now)
  }

  /// Gives the new values of all slices that have changed to the components and views that watch them.
  final func serveDisplays() {
    pace = DisplayPace()
    guard areDisplaysDue else { return }
    areDisplaysDue = false
    guard hasRoot, root.displayCount > 0 else { return }
    var batch = DisplayBatch()
    evaluation = .selecting
    isServingTree = true
    root.collectDisplays(&batch)
    isServingTree = false
    evaluation = .none
    if order.isShuffled { order.arrange(&batch.slices) }
    updates.arrived(batch, self)
  }

  // MARK: Reporting

  /// Reports a mistake of the program, at once where no turn is under way and after it otherwise.
  final func report(
    _ kind: StoreDiagnostic.Kind, _ site: CallSite, _ message: @escaping @Sendable () -> String
  ) {
    let report: @Sendable () -> Void = { [diagnostics = options.diagnostics] in
      diagnostics.report(StoreDiagnostic(kind: kind, message: message(), site: site))
    }
    if isInsideTurn { decided.report(report) } else { report() }
  }

  #if DEBUG
  /// Reports that a turn of another store waits for this one.
  private final func noticeWaitInsideOtherTurn() {
    let message = """
      \(name) was waited for inside a turn of another store: a reducer, a selector or a lifetime's closure reads no \
      other store and ends none of its connections
      """
    let site = CallSite(fileID: #fileID, line: #line)
    // Elsewhere, since the lock of the other store is held.
    DispatchQueue.global().async { [diagnostics = options.diagnostics] in
      diagnostics.report(StoreDiagnostic(kind: .waitForAnotherStore, message: message, site: site))
    }
  }
  #endif

  /// Reports a fenced action of a run that has returned without having been stopped, in debug builds.
  final func noticeLateSend(of action: some Sendable, _ details: Envelope.Details, at site: CallSite) {
    #if DEBUG
    guard let run = details.run, run.phase == .returned || details.isLate && run.isAdmitted else { return }
    report(.sendAfterReturn, site) { [name] in
      """
      \(Spelling.kind(of: action)) was sent by a run of \(run.attachment.label.text) in \(name) that had returned, \
      and is dropped; a run awaits every task that sends for it
      """
    }
    #endif
  }
}
