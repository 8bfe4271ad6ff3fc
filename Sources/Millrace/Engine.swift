/// The runtime of one store, free of its types: the mailbox, the turns, the tree of watched slices, and who waits
/// for what.
///
/// | field | guarded by |
/// |---|---|
/// | `mail`, and of each scope what it has accepted | its own lock |
/// | everything that is `var` | `turnLock`, held for one or a few turns at a time |
///
/// Whoever holds the turn lock may take the mailbox lock, never the other way round. Nothing of the user's is
/// called under either, but for what runs on the reducer queue: reducers, selectors, `==` of slices,
/// `requests(in:)`, `id(of:)`, `action(for:of:)` and action mappings.
final class Engine: @unchecked Sendable {  // see the table
  let host: any ReducerHost
  let queue: ReducerQueue
  let options: StoreOptions
  let scope = Scope(parent: nil)
  let mail = Lock(Mailbox())
  let turnLock = TurnLock()

  // What was taken from the mailbox and has not had its turn.
  var inbox: [Envelope] = []
  var inboxNext = 0
  /// The ticket of the last envelope that had its turn.
  var turnsMade: UInt64 = 0
  /// The number of actions reduced, which is the sequence number of the last one.
  var sequence: UInt64 = 0
  var fencedCount: UInt64 = 0
  /// Whether displays have not been served since the last reduction.
  var areDisplaysDue = false
  var batchLength = 0
  var evaluation = Evaluation.none
  /// Whether a lifetime is being made: what is connected meanwhile is connected in this very turn.
  var isMakingLifetime = false
  var outcome = Outcome()
  /// The action of the current turn and the run that sent it.
  var turn = TurnContext()

  let tree: Node
  var generations: UInt64 = 0
  /// What has ended while some of its work had not.
  var unfinished: [UInt64: any Attachment] = [:]
  /// What belonged to parts that are gone and has not been ended yet.
  var condemned: [any Attachment] = []
  var isTearingDown = false
  var waiters: [Waiter] = []
  var views = ViewQueue()
  var servers = ComponentServers()
  var observers: [ObserverAttachment] = []
  var eventNumber: UInt64 = 0
  var reportedLoops: Set<UInt64> = []

  /// Turns after which displays are served even though more waits.
  private static let batchLimit = 1024
  /// Turns made under one holding of the lock while none has anything to perform.
  private static let holdLimit = 32

  init(host: any ReducerHost, queue: ReducerQueue, options: StoreOptions) {
    self.host = host
    self.queue = queue
    self.options = options
    tree = Node(cache: StateCache(host.statePointer), parent: nil)
  }

  /// Which of the user's pure functions the current turn is calling.
  enum Evaluation { case none, reducing, selecting }

  // MARK: Sending

  /// Puts an envelope in the mailbox, unless what it was sent through is closed, and sees to it that it is taken.
  ///
  /// - Parameter put: adds the envelope's actions to the state box; called with the mailbox lock held.
  /// - Returns: whether it was accepted.
  func post(_ envelope: Envelope, put: () -> Void) -> Bool {
    #if DEBUG
    if TurnFrame.isInside(self), evaluation != .none {
      report(
        .dispatchInsideTurn, envelope.site,
        "an action was dispatched inside a reducer or a selector of the same store; it waits for its turn")
    }
    #endif
    let isAccepted = mail.withLock { mail in
      if isClosed(&mail, envelope.enclosure?.scope, count: envelope.count) { return false }
      put()
      enter(envelope, &mail)
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
    let envelope = Envelope(
      count: 0, site: site, enclosure: Enclosure(scope: scope, command: command))
    mail.withLock { enter(envelope, &$0) }
    pump()
  }

  private func enter(_ envelope: Envelope, _ mail: inout Mailbox) {
    mail.envelopes.append(envelope)
    mail.tickets += 1
    envelope.enclosure?.scope.upwards { $0.accepted += 1 }
    if mail.isDrainScheduled { return }
    if case .serial(let queue) = queue.kind {
      mail.isDrainScheduled = true
      queue.async { self.drain(isScheduled: true) }
    }
  }

  private func pump() {
    // Inside a turn of an immediate store the drain further up this stack takes it.
    if queue.isImmediate, !TurnFrame.isInside(self) { drain() }
  }

  // MARK: Draining

  /// Makes turns until nothing waits, or until the envelope with the given ticket had its turn.
  func drain(until ticket: UInt64? = nil, isScheduled: Bool = false) {
    while true {
      var isIdle = false
      var isReached = false
      turnLock.lock()
      TurnFrame.with(self) {
        var turns = 0
        repeat {
          isIdle = !makeTurn(isScheduled: isScheduled)
          turns += 1
          isReached = ticket.map { turnsMade >= $0 } ?? false
        } while !isIdle && !isReached && outcome.isEmpty && turns < Self.holdLimit
        if isReached, !isIdle { isIdle = !hasMore }
        if isIdle || batchLength >= Self.batchLimit { serveDisplays() }
        if isIdle { checkWaiters() }
      }
      let decided = takeOutcome()
      turnLock.unlock()
      decided?.perform()
      if isIdle || isReached { return }
    }
  }

  /// Takes the outcome of the turns so far, for who performs it after unlocking; `nil` if there is nothing to do.
  func takeOutcome() -> Outcome? {
    if outcome.isEmpty { return nil }
    defer { outcome = Outcome() }
    return outcome
  }

  private var hasMore: Bool {
    inboxNext < inbox.count || mail.withLock { !$0.envelopes.isEmpty }
  }

  /// Makes the next turn; `false` if nothing waits.
  private func makeTurn(isScheduled: Bool) -> Bool {
    if inboxNext == inbox.count, !takeMail(isScheduled: isScheduled) { return false }
    let envelope = inbox[inboxNext]
    inboxNext += 1
    batchLength += 1
    makeTurn(of: envelope)
    turnsMade += 1
    envelope.enclosure?.scope.upwards { $0.processed += 1 }
    return true
  }

  private func takeMail(isScheduled: Bool) -> Bool {
    inbox.removeAll(keepingCapacity: inbox.capacity <= Self.batchLimit * 4)
    inboxNext = 0
    return mail.withLock { mail in
      if mail.envelopes.isEmpty {
        if isScheduled { mail.isDrainScheduled = false }
        return false
      }
      swap(&inbox, &mail.envelopes)
      host.takeIncoming()
      return true
    }
  }

  private func serveDisplays() {
    batchLength = 0
    guard areDisplaysDue else { return }
    areDisplaysDue = false
    guard tree.displayCount > 0 else { return }
    evaluation = .selecting
    tree.serveDisplays(self, outcome)
    evaluation = .none
  }

  // MARK: Entering from elsewhere

  /// Calls `body` with the turn lock held, then performs what it decided.
  ///
  /// From inside a turn of this very store the lock is held already, and the turn performs what is decided.
  func locked<Result>(_ body: (Outcome) -> Result) -> Result {
    if TurnFrame.isInside(self) { return body(outcome) }
    turnLock.lock()
    var result: Result?
    TurnFrame.with(self) { result = body(outcome) }
    let decided = takeOutcome()
    turnLock.unlock()
    decided?.perform()
    guard let result else { preconditionFailure("a turn frame calls its body") }
    return result
  }

  func report(_ kind: Diagnostic.Kind, _ site: CallSite, _ message: String) {
    options.diagnostics.report(Diagnostic(kind: kind, message: message, site: site))
  }
}
