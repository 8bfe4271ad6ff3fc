/// The account of one store or scope: it counts what was sent and connected through it and through the scopes derived
/// from it.
///
/// | field | guarded by |
/// |---|---|
/// | `runs`, `keeper`, `place` | the turn lock |
/// | `updates`, `isAwaited` | the lock of the displays |
/// | `isEnded` | both of these: written with both held, read with either |
/// | `phase`, `closesAfter`, `lastTicket`, `tapCount` | the mailbox lock |
final class Account: HashedByIdentity, @unchecked Sendable {  // guarded as in the table
  /// The senders whose actions the account accepts. Nothing new begins unless it is open.
  enum Phase: Comparable {
    /// All.
    case open
    /// Live runs only. A shutdown gives them time to deliver their results.
    case closing
    /// None. The mailbox accepts only commands of the runtime.
    case closed
  }

  /// The amount of work in progress.
  struct Work {
    /// The work that `settled()` waits for.
    var counted = 0
    /// All work, long-running work included.
    var all = 0

    static func + (left: Work, right: Work) -> Work {
      Work(counted: left.counted + right.counted, all: left.all + right.all)
    }
  }

  let parent: Account?
  /// The keeper of the parts whose account this is; `nil` for any other account.
  weak var keeper: Keeper?
  /// The node of the part whose account this is; `nil` for any other account.
  ///
  /// Not retained: the node keeps a value of the user, and the account may be released while a lock is held.
  unowned var place: Node?  // the life of the part holds it, and nothing reads it after the life
  var runs = Work()
  var updates = Work()
  /// Whether it belongs to a part of the state, which may end.
  let isMortal: Bool
  /// Whether tasks wait until it has settled.
  var isAwaited = false
  /// Whether its part of the state has ended. Actions sent through it are then fenced.
  var isEnded = false
  var phase = Phase.open
  /// The number of the latest envelope when a shutdown began.
  var closesAfter: UInt64 = 0
  /// The number of the latest envelope that was accepted through it.
  var lastTicket: UInt64 = 0
  /// How many taps record the actions that are sent through it.
  var tapCount = 0

  init(parent: Account?, isMortal: Bool = false) {
    self.parent = parent
    self.isMortal = isMortal || parent?.isMortal ?? false
  }

  // These are recursive, since a loop variable would count a reference at every step.

  /// Whether this is `other` or is derived from it.
  func isWithin(_ other: Account) -> Bool { self === other || parent?.isWithin(other) ?? false }

  /// Whether this account, or one from which it is derived, satisfies `condition`.
  func any(_ condition: (Account) -> Bool) -> Bool { condition(self) || parent?.any(condition) ?? false }

  /// The narrowest phase of this account and of those from which it is derived.
  var acceptance: Phase { max(phase, parent?.acceptance ?? .open) }

  /// Whether actions that are sent through it are recorded.
  var isTapped: Bool { any { $0.tapCount > 0 } }

  /// Whether the part of the state to which it belongs has ended.
  var isOver: Bool { isMortal && any { $0.isEnded } }

  /// The node of the innermost part to which it belongs.
  var innermostPlace: Node? { place ?? parent?.innermostPlace }

  /// The ids of the parts of the state to which it belongs, outermost first. They must not have ended.
  var partIDs: [AnyHashable] {
    (parent?.partIDs ?? []) + [place?.partID].compactMap(\.self)
  }

  /// Calls `body` with this account, and with all from which it is derived.
  func upwards(_ body: (Account) -> Void) {
    body(self)
    parent?.upwards(body)
  }

  /// Counts runs and other work that the turn lock guards. The turn lock must be held.
  func countRun(counted: Int, all: Int) {
    upwards {
      $0.runs.counted += counted
      $0.runs.all += all
    }
  }
}
