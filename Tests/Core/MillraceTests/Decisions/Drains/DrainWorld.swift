@testable import Millrace

/// A store whose parties are threads, between two of their steps: what each does next, what waits, and who holds the
/// turn lock. The decisions are those of the runtime: ``DrainSchedule``, ``Drain``, ``Conflation``.
///
/// A step is what a thread does under one holding of the mailbox lock or of the update line's, with what it does before
/// the next one: that changes nothing that others look at. What it puts on a queue, or resumes, moves whenever it likes.
/// The turn lock spans several steps, in which only those can move that do not need it.
struct DrainWorld: Hashable {
  /// An envelope, with what its turn decides.
  enum Letter: Hashable {
    case plain
    /// Starts a run, which sends one action and returns.
    case ask
    /// Stops the run, which calls a cancellation handler.
    case drop
    /// What the run sends. It waits for its turn.
    case answer
  }

  enum RunPhase: Hashable { case none, live, stopped, returned }

  enum Awaiter: Hashable { case none, waiting, resumed }

  // The mailbox, under its lock.
  var schedule = DrainSchedule()
  var mail: [Letter] = []
  /// Of runs that have returned: the number of the last envelope that each has sent.
  var returns: [Int] = []
  var tickets = 0
  var answerTicket = 0

  // What the turn lock guards.
  var isTurnLocked = false
  var inbox: [Letter] = []
  var consumed = 0
  var turnsMade = 0
  var run = RunPhase.none
  var isAnswered = false
  var isDisplayDue = false
  var waiter = Awaiter.none

  // The line of components, under its lock.
  var component: Conflation?
  var isInLine = false
  var isServerOnItsWay = false

  // What the system has to begin, in any order.
  /// The latest number of a drain or a release.
  var newest: UInt64 = 0
  var usualDrains: [UInt64] = []
  var rescues: [UInt64] = []
  var looks = 0

  var parties: [Party] = []
  var hasTwoDrains: Bool {
    parties.count { if case .drains(let thread) = $0 { thread.isAlone } else { false } } > 1
  }

  /// Whether something was accepted and has not had its turn, or was decided and not told.
  var isBusy: Bool {
    !mail.isEmpty || !returns.isEmpty || consumed < inbox.count || isDisplayDue || waiter == .waiting
      || run == .live || run == .stopped || component?.isActive == true
  }

  /// Whether the next action would begin a drain.
  var isIdle: Bool {
    var schedule = schedule
    return schedule.mailArrived().drain != nil
  }

  init(connecting component: Bool, _ parties: Party...) {
    self.component = component ? Conflation() : nil
    self.parties = parties
  }
}

/// What a thread does next.
enum Party: Hashable {
  /// Posts letters, one after the other.
  case posts([DrainWorld.Letter])
  /// A run: it looks whether it is wanted, posts its answer, waits for the turn of that, and returns.
  case enters
  case answers
  case awaitsAnswer
  case returns
  /// The thread of a run that has returned while nothing waited.
  case concludes

  /// A thread that needs its result at once: claims, posts, and drains until that had its turn.
  case claims
  case postsWithClaim(Drain)
  case readsTicket(Drain)

  case drains(DrainingThread)

  /// Waits until the store has settled.
  case settles

  /// A server of the component.
  case serves
  case takesNext(isAfterUpdate: Bool)
  case updates
  case tells(updatesNext: Bool)

  case gone
}

/// A drain, at one of its steps.
struct DrainingThread: Hashable {
  enum Step: Hashable {
    case locks, takes, turns, takesLast, serves, unlocks
    case tells, performs
  }

  /// What its holding has decided.
  struct Decided: Hashable {
    var startsRun = false
    var callsUser = false
    var resumesRun = false
    var beginsServer = false
    var isEmpty: Bool { self == Decided() }
  }

  var drain: Drain
  var ticket: Int?
  var step = Step.locks
  var decided = Decided()
  /// Whether what was consumed before was moved out in this holding.
  var hasMovedOut = false

  init(_ drain: Drain, until ticket: Int? = nil) { (self.drain, self.ticket) = (drain, ticket) }

  /// Whether it has the claim while something waits.
  var continues: Bool { drain.claim != nil && drain.end != .idle }

  /// Whether nobody else may drain.
  var isAlone: Bool { continues && step != .performs }
}
