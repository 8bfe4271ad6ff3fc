import Dispatch
import Millrace

/// What a recorder has seen and not written, and what it decides by. Any thread may use it.
///
/// It does not know the types of the store: generic code would look them up at every action, on the reducer queue.
final class SeenEvents: Sendable {
  /// What the recorder has to do once something was put in.
  struct Need {
    static let nothing = Need()

    /// After how many nanoseconds the recorder's queue has to be woken; `nil` if it is awake.
    fileprivate(set) var wakeUp: UInt64?
    /// Whether a snapshot of the state follows the action.
    fileprivate(set) var snapshot = false
    /// What a gap has lost that ends here, with a snapshot of everything.
    fileprivate(set) var resumes: (lost: Int, details: Int)?
  }

  private struct Seen {
    var feed: TraceFeed<SeenItem.Timed>
    var pace: SnapshotPace
    var isServing = false
    var isClosing = false
    /// Whether the recording has its place in the store. What is put in before is kept until then.
    var hasBegun = false
    var early: [SeenItem.Timed] = []
    /// About how many bytes an event occupies.
    var eventBytes = 200
    /// Whether nothing is recorded any more: it has ended, or cannot be written.
    var isOver = false
    /// When the queue was woken last, or is to be.
    var woken: UInt64 = 0

    /// Records that the store starts nothing more, unless that was recorded before.
    mutating func closes(at time: UInt64) {
      if isClosing { return }
      isClosing = true
      feed.put(weight: SeenEvents.itemBytes, (time, .closing))
    }

    /// Puts in a state.
    mutating func putState(_ time: UInt64, after sequence: UInt64, _ item: SeenItem) {
      feed.put(
        weight: pace.bytes(after: sequence) + SeenEvents.itemBytes, isSnapshot: true, (time, item))
    }

    /// What has to be done after something of this fate.
    mutating func need(_ fate: TraceFeed<SeenItem.Timed>.Fate) -> Need {
      var need = Need()
      if case .resumes(let lost, let details) = fate { need.resumes = (lost, details) }
      if fate == .dropped || isServing { return need }
      isServing = true
      // Where events are dense, the queue is woken once a millisecond.
      let now = SeenEvents.now
      let next = max(now, woken + 1_000_000)
      woken = next
      need.wakeUp = next - now
      return need
    }
  }

  private let seen: Lock<Seen>
  /// How many bytes the snapshots may occupy that wait to be written.
  private let room: Int
  /// What an item occupies beside its values.
  private static var itemBytes: Int { MemoryLayout<SeenItem.Timed>.stride }

  init(memory limit: Int, snapshotEvery every: Int) {
    room = limit / 4
    seen = Lock(Seen(feed: TraceFeed(limit: limit), pace: SnapshotPace(every: every)))
  }

  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  // MARK: What happens

  func began(_ item: SeenItem) -> Need {
    seen.withLock { seen in
      if seen.isOver { return .nothing }
      seen.putState(Self.now, after: 0, item)
      for item in seen.early { seen.feed.put(weight: 64, item) }
      (seen.hasBegun, seen.early) = (true, [])
      return seen.need(.kept)
    }
  }

  func reduced(_ action: any Sendable, _ turn: WitnessedTurn) -> Need {
    seen.withLock { seen in
      if seen.isOver { return .nothing }
      if turn.isClosing { seen.closes(at: turn.start) }
      let fate = seen.feed.happened(weight: seen.eventBytes, canResume: true) {
        (turn.start, .action(action, turn))
      }
      let isSnapshotDue =
        fate == .kept && seen.pace.actionReduced(turn.sequence, room: room - seen.feed.snapshotBytes)
      var need = seen.need(fate)
      need.snapshot = isSnapshotDue
      return need
    }
  }

  /// - Parameter isClosing: whether the store is known to start nothing more.
  func happened(_ event: StoreEvent.Kind, isInPart: Bool, isClosing: Bool = false) -> Need {
    var isDetail = false
    if case .updated = event { isDetail = true }
    return seen.withLock { seen in
      if seen.isOver { return .nothing }
      if isClosing { seen.closes(at: Self.now) }
      return seen.need(
        seen.feed.happened(weight: seen.eventBytes, isDetail: isDetail) {
          (Self.now, .event(event, isInPart: isInPart))
        })
    }
  }

  /// The state after an action that was kept.
  func snapshot(_ state: any Sendable, after turn: WitnessedTurn) {
    seen.withLock { seen in
      if seen.isOver { return }
      seen.putState(
        turn.start, after: turn.sequence, .state(state, sequence: turn.sequence, isLast: false))
    }
  }

  /// The connection is about to end.
  ///
  /// - Returns: what has to be put in before, so that the recording has the last state: a snapshot, and a whole one behind
  ///   a gap.
  func ending() -> Need {
    seen.withLock { seen in
      var need = Need()
      if seen.isOver || !seen.hasBegun { return need }
      need.resumes = seen.feed.ended()
      need.snapshot = need.resumes == nil && seen.pace.isBehind
      return need
    }
  }

  /// The state with which the recording ends.
  func last(_ state: any Sendable, sequence: UInt64) {
    seen.withLock { seen in
      seen.putState(
        Self.now, after: sequence, .state(state, sequence: sequence, isLast: true))
    }
  }

  /// A gap ends after so many actions.
  func resumed(_ item: SeenItem, after sequence: UInt64 = 0) {
    seen.withLock { seen in
      seen.pace.snapshotTaken()
      seen.putState(Self.now, after: sequence, item)
    }
  }

  /// A task of a run begins or ends a wait.
  ///
  /// - Returns: whether there is something to write.
  func waits(_ wait: WitnessedWait) -> Bool {
    seen.withLock { seen in
      if seen.isOver { return false }
      if !seen.hasBegun {
        seen.early.append((Self.now, .wait(wait)))
        return false
      }
      return seen.feed.happened(weight: seen.eventBytes, isDetail: true) { (Self.now, .wait(wait)) } == .kept
    }
  }

  /// Something that is never left out.
  func add(_ item: SeenItem, weight: Int) {
    seen.withLock { seen in
      let item = SeenItem.Timed(Self.now, item)
      if seen.isOver { return }
      if seen.hasBegun { seen.feed.put(weight: weight, item) } else { seen.early.append(item) }
    }
  }

  /// The connection has ended.
  ///
  /// - Returns: whether the recording had begun, and what has to be done.
  func ended(isClosing: Bool) -> (hasBegun: Bool, need: Need) {
    seen.withLock { seen in
      defer { seen.isOver = true }
      if seen.isOver || !seen.hasBegun { return (seen.hasBegun, .nothing) }
      seen.feed.put(weight: Self.itemBytes, (Self.now, .ended(isClosing: isClosing)))
      return (true, seen.need(.kept))
    }
  }

  // MARK: Writing

  var isServing: Bool { seen.withLock(\.isServing) }

  /// Whether everything is written: then the queue has to be woken for what comes.
  func rests() -> Bool {
    seen.withLock { seen in
      guard seen.feed.isEmpty else { return false }
      seen.isServing = false
      return true
    }
  }

  /// Moves out what is to be written, into a list whose memory is used again.
  ///
  /// - Returns: the number of details that were lost.
  func take(into items: inout [SeenItem.Timed]) -> Int { seen.withLock { $0.feed.take(into: &items) } }

  func written(_ report: TraceReport, hasFailed: Bool, bytesOfAction: Int) {
    seen.withLock { seen in
      if hasFailed { seen.isOver = true }
      // About 100 bytes of a line are none of the values'. A value that has no room in an item is allocated.
      let box = bytesOfAction > 24 ? bytesOfAction + 32 : 0
      seen.eventBytes = Self.itemBytes + max(0, report.eventBytes - 100) + box
      if let snapshot = report.snapshot {
        seen.pace.snapshotWritten(
          snapshot.sequence, bytes: snapshot.bytes, bytesOfAction: report.eventBytes)
      }
      if report.wantsSnapshot { seen.pace.demand() }
    }
  }
}
