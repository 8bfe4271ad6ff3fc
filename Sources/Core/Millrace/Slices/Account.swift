/// The account of one store handle, a root store's or a scope's: what was sent and connected through it and through the
/// handles derived from it.
///
/// | field | guarded by |
/// |---|---|
/// | `runs`, `keeper`, `place` | the turn lock |
/// | `updates`, `isAwaited` | the lock of the displays |
/// | `isEnded` | both of these: written with both held, read with either |
/// | `phase`, `closesAfter`, `lastTicket`, `tapCount` | the mailbox lock |
final class Account: HashedByIdentity, @unchecked Sendable {  // guarded as in the table
  /// The senders whose actions it accepts. Nothing new begins unless it is open.
  enum Phase {
    /// All.
    case open
    /// Live runs, since a shutdown gives them time to deliver.
    case closing
    /// None; the mailbox takes commands of the runtime alone.
    case closed
  }

  /// How much work is under way.
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
  /// If it is the account of the parts that a keeper begins and ends: that keeper.
  weak var keeper: Keeper?
  /// If it is the account of one part: the node of the part.
  ///
  /// Not retained: the node keeps a value of the user, and the account may be released while a lock is held.
  unowned var place: Node?  // the life of the part holds it; nothing reads it once that is over
  /// Whether it belongs to a part of the state that may end.
  let isMortal: Bool
  var runs = Work()
  var updates = Work()
  /// Whether tasks wait until it has settled.
  var isAwaited = false
  /// Whether its part of the state is gone: what is sent through it is fenced.
  var isEnded = false
  var phase = Phase.open
  /// The number of the latest envelope when a shutdown began.
  var closesAfter: UInt64 = 0
  /// The number of the latest envelope that was accepted through it.
  var lastTicket: UInt64 = 0
  /// The number of sequences and observers that record what is sent through it.
  var tapCount = 0

  init(parent: Account?, isMortal: Bool = false) {
    self.parent = parent
    self.isMortal = isMortal || parent?.isMortal ?? false
  }

  // By recursion, since a variable that goes upwards would count a reference at every step.

  /// Whether it is `other` or derived from it.
  func isWithin(_ other: Account) -> Bool { self === other || parent?.isWithin(other) ?? false }

  /// Whether it, or one that it is derived from, satisfies `condition`.
  func any(_ condition: (Account) -> Bool) -> Bool { condition(self) || parent?.any(condition) ?? false }

  /// Whether the part of the state that it belongs to is gone.
  var isOver: Bool { isMortal && any { $0.isEnded } }

  /// Whether something records what is sent through it.
  var isTapped: Bool { any { $0.tapCount > 0 } }

  /// The node of the innermost part to which it belongs.
  var innermostPlace: Node? { place ?? parent?.innermostPlace }

  /// Calls `body` with it, then with what it is derived from, and so on.
  func upwards(_ body: (Account) -> Void) {
    body(self)
    parent?.upwards(body)
  }

  /// Counts runs and other work that the turn lock guards. It must be held.
  func countRun(counted: Int, all: Int) {
    upwards {
      $0.runs.counted += counted
      $0.runs.all += all
    }
  }
}
