import Dispatch
import MillraceSpelling

/// The runtime of one store, independent of its types: the connections, the decisions and the waits. ``StateEngine``
/// knows the types.
///
/// | field | guarded by |
/// |---|---|
/// | `mail`, and of each account what it accepts | the mailbox lock |
/// | `updates`, with the conflation of every display | the lock of the displays |
/// | everything else that is `var` | the turn lock, held for a few turns at a time |
///
/// Locks are taken in this order: the turn lock, the lock of the displays, the mailbox lock. Each may be skipped. The
/// turn lock is the only one under which the user's code is called: reducers, selectors, `==` of slices,
/// `requests(in:)`, `id(of:)`, `replacement`, `action(for:of:)` and the action mappings of its result, and the closures
/// of lifetimes.
class Engine: @unchecked Sendable {  // guarded as in the table
  final let queue: ReducerQueue
  final let options: StoreOptions
  /// Counts the jobs in progress. Only a test store has it, since that store settles although some work waits for the
  /// test.
  private(set) final var counter: JobCounter?
  /// The account of everything that is sent and connected through the root store.
  final let account = Account(parent: nil)
  private final let turnLock = TurnLock()

  final let mail = Lock(Mailbox())
  /// The components and views that have new values.
  final let updates = Lock(UpdateLine())

  final var inbox = Batch()
  final var turn = Turn()
  final var due = Due()
  final var tree = Tree()
  final var changes = TreeChanges()
  final var displays = Displays()
  final var decided = Decided()
  final var order: UnpromisedOrder
  final var awaiters = Awaiters()
  final var endings = Endings()

  init(queue: ReducerQueue, options: StoreOptions) {
    self.queue = queue
    self.options = options
    let seams = options.seams
    order = UnpromisedOrder(seed: seams.orderSeed)
    #if DEBUG
    if !order.isShuffled { order = UnpromisedOrder(seed: ProcessEnvironment.number("MILLRACE_SHUFFLE")) }
    #endif
    if seams.settlesWhenParked { counter = JobCounter(self) }
    if seams.witness != nil { changeTaps { _ in } }
  }

  // MARK: What depends on the types

  /// The name of the state's type.
  var stateName: String { isOverridden() }
  /// The root of a tree of slices of the state.
  func makeRoot() -> Node { isOverridden() }
  /// Releases the state after the root store was released and everything has ended.
  func releaseState() { isOverridden() }
  /// The action of the current turn, for reports. The turn lock must be held, as for all methods below.
  var currentAction: (any Sendable)? { isOverridden() }
  /// Moves the actions of the taken envelopes to the inbox. The mailbox lock must be held too.
  func takeActions() { isOverridden() }
  /// Reduces the next action.
  func reduceNext() { isOverridden() }

  private final func isOverridden() -> Never { preconditionFailure("every engine is a StateEngine") }

  /// The name in activity lists. It is made only on demand.
  final var name: String { options.name ?? stateName }

  // MARK: The turn lock

  /// Calls `body` with the turn lock held, then performs the decisions.
  ///
  /// Inside a turn of this store, the lock is already held, and the turn performs the decisions.
  final func locked<Result>(_ body: () -> Result) -> Result {
    if TurnFrame.isInside(self) { return body() }
    let (result, decided) = holding(body)
    perform(decided)
    // Only an immediate store drains here. Another thread drains its own actions before its call returns.
    if decided.hasSent { drain(Drain()) }
    return result
  }

  /// Performs the decisions that were made while the lock was held.
  final func perform(_ decided: Decided) {
    decided.perform()
    if !decided.isEmpty { counter?.count(-1) }
  }

  /// Calls `body` with the turn lock held.
  ///
  /// - Returns: the result, and the decisions to perform and then to release.
  final func holding<Result>(_ body: () -> Result) -> (Result, Decided) {
    #if DEBUG
    if TurnFrame.isInsideAny { noticeWaitInsideOtherTurn() }
    #endif
    return turnLock.withLock {
      let result = TurnFrame.with(self) {
        let result = body()
        changeTree()
        resumeAwaiters()
        return result
      }
      var taken = decided.take()
      if order.isShuffled { taken.shuffle(&order) }
      if !taken.isEmpty { counter?.count(1) }
      if let released = tree.released { taken.keepReleased(released.take()) }
      return (result, taken)
    }
  }

  /// Adds decisions. They are moved out meanwhile, so that the access to them is not checked at run time. `body` calls
  /// nothing that decides.
  @inline(__always)
  final func decide(_ body: (inout Decided) -> Void) {
    var moved = decided.take()
    body(&moved)
    assert(decided.isUntouched, "what is decided meanwhile would be lost")
    swap(&moved, &decided)
  }

  /// Decides a call, to be made with no lock held.
  final func deliver(_ call: @escaping @Sendable () -> Void) { decide { $0.deliver(call) } }

  /// Calls `body` with the turn lock held. `body` decides nothing and calls none of the user's code.
  final func withTurnLock<Result>(_ body: () -> Result) -> Result {
    isInsideTurn ? body() : turnLock.withLock(body)
  }

  final var isInsideTurn: Bool { TurnFrame.isInside(self) }

  // MARK: The mailbox

  /// Puts a command of the runtime in the mailbox, which accepts it even if closed.
  ///
  /// - Parameter command: called with the phase of the account when the command was put in.
  final func post(through account: Account, site: CallSite, _ command: @escaping Command) {
    let envelope = Envelope(site: site, details: Envelope.Details(account: account, command: command))
    if let step = mail.withLock({ $0.accept(envelope, through: account) }) { perform(step) }
  }

  /// Records that the body of a run has returned. The run is concluded after everything that it has sent has had its
  /// turn: by the draining thread or, if nothing waits, by the current one.
  final func bodyReturned(_ run: Run) {
    let mayConclude = !queue.isImmediate && !TurnFrame.isInsideAny
    let step = mail.withLock { mail -> DrainSchedule.Step? in
      run.hasReturned = true
      mail.returns.append(run)
      return mayConclude && mail.schedule.isIdle ? nil : mail.schedule.mailArrived()
    }
    if let step { perform(step) } else { locked { concludeReturns() } }
  }

  /// Records that the body of a run has thrown. `conclude` has a turn of its own, after everything sent before. In that
  /// turn the action for the failure is reduced, unless the account was closed.
  final func bodyThrew(_ run: Run, _ conclude: @escaping Command) {
    post(through: run.connected.account, site: run.connected.site, conclude)
  }

  /// Whether nothing new may begin through `account`. The turn lock must be held.
  ///
  /// - Parameter isOfPart: whether a part would begin. A part starts nothing itself, so it may begin in the turns of
  ///   everything that was accepted before the shutdown.
  final func isClosing(_ account: Account, isOfPart: Bool = false) -> Bool {
    let accepted = isOfPart ? turn.number : .max
    return account.any(\.isEnded)
      || mail.withLock { _ in account.any { $0.phase != .open && $0.closesAfter < accepted } }
  }

  // MARK: Reporting

  /// Reports a mistake of the program: inside a turn, after the turn lock is released; otherwise at once.
  final func report(
    _ kind: StoreDiagnostic.Kind, _ site: CallSite, _ message: @escaping @Sendable () -> String
  ) {
    let report: @Sendable () -> Void = {
      self.tell(StoreDiagnostic(kind: kind, message: message(), site: site))
    }
    if isInsideTurn { decide { $0.report(report) } } else { report() }
  }

  /// Gives a diagnostic to the hook and to recordings. No lock may be held.
  final func tell(_ diagnostic: StoreDiagnostic) {
    options.diagnostics.report(diagnostic)
    for tap in mail.withLock(\.taps) { tap.reported(diagnostic) }
  }

  #if DEBUG
  /// Reports that a turn of another store waits for this one.
  private final func noticeWaitInsideOtherTurn() {
    // On another thread, since this one holds the lock of the other store.
    DispatchQueue.global().async {
      self.report(.waitForAnotherStore, CallSite(fileID: #fileID, line: #line)) {
        """
        \(self.name) was waited for inside a turn of another store: a reducer, a selector or a lifetime's closure reads \
        no other store and ends none of its connections
        """
      }
    }
  }
  #endif

  /// Reports, in debug builds, a fenced action of a run that has returned and was not stopped.
  final func noticeLateSend(of action: some Sendable, _ details: Envelope.Details, at site: CallSite) {
    #if DEBUG
    guard let run = details.run, run.phase == .returned || details.isLate && run.isAdmitted else { return }
    report(.sendAfterReturn, site) { [name] in
      """
      \(Spelling.kind(of: action)) was sent by a run of \(run.connected.label.text) in \(name) that had returned, \
      and is dropped; a run awaits every task that sends for it
      """
    }
    #endif
  }
}
