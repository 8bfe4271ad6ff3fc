/// The runtime of one store, free of its types: the mailbox, the turns, the tree of watched slices, and who waits
/// for what.
///
/// | field | guarded by |
/// |---|---|
/// | `mail`, `madeScope`, and of each scope what it has accepted | the mailbox lock |
/// | `progress`, and everything that is `var` | `turnLock`, held for one or a few turns at a time |
///
/// Whoever holds the turn lock may take the mailbox lock, never the other way round. Nothing of the user's is
/// called under either, but for what runs on the reducer queue: reducers, selectors, `==` of slices,
/// `requests(in:)`, `id(of:)`, `action(for:of:)` and action mappings.
final class Engine: @unchecked Sendable {  // guarded as in the table
  let host: ReducerHost
  let queue: ReducerQueue
  /// Whether a lifetime is being made: what is connected meanwhile is connected in this very turn.
  var isMakingLifetime = false
  private let givenOptions: GivenOptions?
  let shape: MailShape
  private let memory = EngineMemory()
  /// Guarded by the mailbox lock.
  private var madeScope: Scope?
  var generations: UInt64 = 0
  // Not made before they are needed: an idle store is small.
  private(set) var madeTables: EngineTables?
  private var madeOutcome: Outcome?

  /// Turns after which displays are served even though more waits.
  private static let batchLimit = 1024
  /// Turns made under one holding of the lock while none has anything to perform.
  private static let holdLimit = 32

  init(host: ReducerHost, queue: ReducerQueue, options: StoreOptions) {
    self.host = host
    self.queue = queue
    givenOptions = options.isStandard ? nil : GivenOptions(options)
    shape = host.shape
  }

  deinit {
    progress.pointee.inbox.destroy(host, shape)
    mail.withLock { $0.incoming.destroy(host, shape) }
    memory.destroy()
  }

  var options: StoreOptions { givenOptions?.options ?? .standard }

  /// What it is called in activity lists. Spelled out only when somebody asks.
  var name: String { options.name ?? host.stateName }

  /// The account of what is sent and connected through the store itself. The mailbox lock must not be held.
  var scope: Scope {
    mail.withLock { _ in
      if let madeScope { return madeScope }
      let scope = Scope(parent: nil)
      madeScope = scope
      return scope
    }
  }

  var tables: EngineTables {
    if let madeTables { return madeTables }
    let tables = EngineTables(host.statePointer)
    madeTables = tables
    return tables
  }

  /// What the present holding of the lock has decided so far.
  var outcome: Outcome {
    if let madeOutcome { return madeOutcome }
    let outcome = Outcome()
    madeOutcome = outcome
    return outcome
  }

  private var isAnythingDecided: Bool { madeOutcome.map { !$0.isEmpty } ?? false }

  var mail: MailLock { memory.mail }
  var turnLock: TurnLock { memory.turnLock }
  var progress: UnsafeMutablePointer<TurnProgress> { memory.progress }

  // MARK: Sending

  /// Puts an envelope in the mailbox, unless what it was sent through is closed, and sees to it that it is taken.
  ///
  /// - Parameter put: puts the envelope's action where it is told; called with the mailbox lock held.
  /// - Returns: whether it was accepted.
  func post(_ envelope: Envelope, put: (UnsafeMutableRawPointer) -> Void) -> Bool {
    post(envelope, followers: 0) { place, _ in put(place) }
  }

  /// The same for several actions that have their turn together: its own, which is number 0, and so many followers.
  func post(
    _ envelope: Envelope, followers: Int, put: (UnsafeMutableRawPointer, _ number: Int) -> Void
  ) -> Bool {
    #if DEBUG
    if TurnFrame.isInside(self), progress.pointee.evaluation != .none {
      report(
        .dispatchInsideTurn, envelope.site,
        "an action was dispatched inside a reducer or a selector of the same store; it waits for its turn")
    }
    #endif
    let isAccepted = mail.withLock { mail in
      if isClosed(&mail, envelope.enclosure?.scope, count: envelope.count) { return false }
      put(enter(envelope, &mail), 0)
      for number in 0..<followers {
        let follower = Envelope(site: envelope.site, enclosure: nil)
        put(mail.incoming.append(follower, shape), number + 1)
      }
      schedule(&mail)
      return true
    }
    if isAccepted { pump() }
    return isAccepted
  }

  /// Whether nothing more is accepted through the store or `scope`; if so, counts what is refused.
  func isClosed(_ mail: inout Mailbox, _ scope: Scope?, count: Int) -> Bool {
    let isClosed = mail.isClosed || scope?.any(\.isClosed) ?? false
    if isClosed { mail.refused += UInt64(count) }
    return isClosed
  }

  /// Puts a command of the runtime's own in the mailbox, which takes it also when closed.
  func post(
    in scope: Scope, site: CallSite, _ command: @escaping Command
  ) {
    post(in: scope, site: site) { engine, _, outcome in command(engine, outcome) }
  }

  /// The same, for a command that is told whether nothing else was accepted any more when it was put in.
  func post(
    in scope: Scope, site: CallSite, _ command: @escaping (Engine, _ isLate: Bool, Outcome) -> Void
  ) {
    mail.withLock { mail in
      let isLate = mail.isClosed || scope.any(\.isClosed)
      let enclosure = Enclosure(count: 0, scope: scope, command: { command($0, isLate, $1) })
      _ = enter(Envelope(site: site, enclosure: enclosure), &mail)
      schedule(&mail)
    }
    pump()
  }

  private func enter(_ envelope: Envelope, _ mail: inout Mailbox) -> UnsafeMutableRawPointer {
    mail.tickets += 1
    envelope.enclosure?.scope.upwards { $0.accepted += 1 }
    return mail.incoming.append(envelope, shape)
  }

  private func schedule(_ mail: inout Mailbox) {
    if mail.isDrainScheduled || queue.isImmediate { return }
    mail.isDrainScheduled = true
    drainElsewhere()
  }

  /// Has the mailbox drained on a thread of the reducer queue.
  func drainElsewhere() {
    queue.async { self.drainAsScheduled() }
  }

  private func pump() {
    // Inside a turn of an immediate store the drain further up this stack takes it.
    if queue.isImmediate, !TurnFrame.isInside(self) { drain() }
  }

  // MARK: Draining

  /// Makes turns until nothing waits, or until the envelope with the given ticket had its turn.
  func drain(until ticket: UInt64? = nil) {
    while true {
      let holding = makeTurns(until: ticket)
      holding.decided?.perform()
      if holding.isIdle || holding.isReached && !queue.isImmediate { return }
    }
  }

  /// Makes turns on a thread of the reducer queue until nothing waits. Then, rather than wake another thread for it,
  /// begins the last of the runs that were decided.
  private func drainAsScheduled() {
    var next: Outcome.Start?
    while true {
      let holding = makeTurns(isScheduled: true)
      if !holding.isIdle {
        next?.begin()
        next = nil
      }
      if let decided = holding.decided {
        if next == nil, queue.beginsRuns { next = decided.takeLastStart() }
        decided.perform()
      }
      if holding.isIdle { break }
    }
    if let next { open(next) }
  }

  /// Has the current thread drain the mailbox, if no other is going to.
  func claimDrain() -> Bool {
    mail.withLock { mail in
      if mail.isDrainScheduled { return false }
      mail.isDrainScheduled = true
      return true
    }
  }

  /// What came of holding the turn lock once.
  struct Holding {
    var decided: Outcome?
    /// Whether nothing waited any more.
    var isIdle = false
    /// Whether the envelope with the ticket in question had its turn.
    var isReached = false
  }

  /// Makes turns while holding the turn lock once, then lets `decide` have a look at what they have decided.
  func makeTurns(
    until ticket: UInt64? = nil, isScheduled: Bool = false, _ decide: (Outcome) -> Void = { _ in }
  ) -> Holding {
    var holding = Holding()
    turnLock.lock()
    TurnFrame.with(self) {
      var turns = 0
      repeat {
        let stretch = makeStretch(atMost: Self.holdLimit - turns)
        holding.isIdle = stretch == 0 && !makeTurn(isScheduled: isScheduled)
        turns += max(1, stretch)
        holding.isReached = ticket.map { progress.pointee.turnsMade >= $0 } ?? false
      } while !holding.isIdle && !holding.isReached && !isAnythingDecided && turns < Self.holdLimit
      if holding.isReached, !holding.isIdle {
        holding.isIdle = isScheduled ? !hasMail(isScheduled: true) : !hasMore
      }
      if holding.isIdle || progress.pointee.batchLength >= Self.batchLimit { serveDisplays() }
      if holding.isIdle { checkWaiters() }
      // What a selector has sent meanwhile: nobody else takes it where no drain is scheduled.
      if holding.isIdle, queue.isImmediate { holding.isIdle = !hasMore }
      if isAnythingDecided { decide(outcome) }
    }
    holding.decided = takeOutcome()
    turnLock.unlock()
    return holding
  }

  /// Takes the outcome of the turns so far, for who performs it after unlocking; `nil` if there is nothing to do.
  func takeOutcome() -> Outcome? {
    if let madeTables {
      attendComponents(madeTables)
      madeTables.tearDownBudget = EngineTables.tearDownLimit
    }
    guard isAnythingDecided else { return nil }
    defer { madeOutcome = nil }
    return madeOutcome
  }

  private var hasMore: Bool {
    !progress.pointee.inbox.isEmpty || mail.withLock { !$0.incoming.isEmpty }
  }

  /// Makes the next turn; `false` if nothing waits.
  private func makeTurn(isScheduled: Bool) -> Bool {
    if !hasMail(isScheduled: isScheduled) { return false }
    let envelope = progress.pointee.inbox.openFront()
    progress.pointee.batchLength += 1
    makeTurn(of: envelope)
    progress.pointee.turnsMade += 1
    envelope.enclosure?.scope.upwards { $0.processed += 1 }
    return true
  }

  private func hasMail(isScheduled: Bool) -> Bool {
    !progress.pointee.inbox.isEmpty || takeMail(isScheduled: isScheduled)
  }

  private func takeMail(isScheduled: Bool) -> Bool {
    mail.withLock { mail in
      if mail.incoming.isEmpty {
        if isScheduled { mail.isDrainScheduled = false }
        progress.pointee.inbox.shrink()
        mail.incoming.shrink()
        return false
      }
      swap(&progress.pointee.inbox, &mail.incoming)
      return true
    }
  }

  private func serveDisplays() {
    progress.pointee.batchLength = 0
    guard progress.pointee.areDisplaysDue else { return }
    progress.pointee.areDisplaysDue = false
    guard progress.pointee.hasDisplays else { return }
    progress.pointee.evaluation = .selecting
    tables.tree.serveDisplays(self, outcome)
    progress.pointee.evaluation = .none
  }

  // MARK: Entering from elsewhere

  /// Calls `body` with the turn lock held, then performs what it decided.
  ///
  /// From inside a turn of this very store the lock is held already, and the turn performs what is decided.
  func locked<Result>(_ body: (Outcome) -> Result) -> Result {
    if TurnFrame.isInside(self) { return body(outcome) }
    turnLock.lock()
    return withTurn(body)
  }

  /// The same, unless somebody else holds the lock.
  func lockedIfFree<Result>(_ body: (Outcome) -> Result) -> Result? {
    turnLock.tryLock() ? withTurn(body) : nil
  }

  /// Calls `body` and unlocks.
  private func withTurn<Result>(_ body: (Outcome) -> Result) -> Result {
    var result: Result?
    TurnFrame.with(self) { result = body(outcome) }
    let decided = takeOutcome()
    turnLock.unlock()
    decided?.perform()
    if queue.isImmediate, mail.withLock({ !$0.incoming.isEmpty }) { drain() }  // sent from within `body`
    guard let result else { preconditionFailure("a turn frame calls its body") }
    return result
  }

  /// Whether everything that was accepted has had its turn. The turn lock must be held.
  var isCaughtUp: Bool { mail.withLock { $0.tickets == progress.pointee.turnsMade } }

  func report(_ kind: Diagnostic.Kind, _ site: CallSite, _ message: String) {
    options.diagnostics.report(Diagnostic(kind: kind, message: message, site: site))
  }
}
