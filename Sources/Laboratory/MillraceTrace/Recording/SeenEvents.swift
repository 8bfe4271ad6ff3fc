import Dispatch
import Millrace

/// The events that a recorder has received but not written, and the state of its decisions. Used by any thread.
///
/// It does not know the types of the store: generic code would look them up at every action, on the reducer queue.
final class SeenEvents: Sendable {
  /// The work of the recorder after an event was added.
  struct Need {
    static let nothing = Need()

    /// The nanoseconds after which to wake the recorder's queue; `nil` if it is awake.
    fileprivate(set) var wakeUp: UInt64?
    /// Whether a snapshot of the state follows the action.
    fileprivate(set) var snapshot = false
    /// The number of events lost in a gap that ends here, with a complete snapshot; `nil` if none ends.
    fileprivate(set) var resumes: (lost: Int, details: Int)?
  }

  private struct Seen {
    var feed: TraceFeed<SeenItem.Timed>
    var pace: SnapshotPace
    var isServing = false
    var isClosing = false
    /// Whether the recording is connected to the store. Earlier items wait in `early`.
    var hasBegun = false
    var early: [SeenItem.Timed] = []
    /// The approximate size of an event in bytes.
    var eventBytes = 200
    /// Whether recording is over: it has ended, or it cannot be written.
    var isOver = false
    /// The last time at which the queue was or will be woken.
    var woken: UInt64 = 0

    /// Records that the store starts nothing more, if that is not recorded yet.
    mutating func closes(at time: UInt64) {
      if isClosing { return }
      isClosing = true
      feed.put(weight: SeenEvents.itemBytes, (time, .closing))
    }

    /// Adds a snapshot of the state.
    mutating func putState(_ time: UInt64, after sequence: UInt64, _ item: SeenItem) {
      feed.put(
        weight: pace.bytes(after: sequence) + SeenEvents.itemBytes, isSnapshot: true, (time, item))
    }

    /// The work after an item of this fate.
    mutating func need(_ fate: TraceFeed<SeenItem.Timed>.Fate) -> Need {
      var need = Need()
      if case .resumes(let lost, let details) = fate { need.resumes = (lost, details) }
      if fate == .dropped || isServing { return need }
      isServing = true
      // If events are dense, the queue is woken at most once a millisecond.
      let now = SeenEvents.now
      let next = max(now, woken + 1_000_000)
      woken = next
      need.wakeUp = next - now
      return need
    }
  }

  private let seen: Lock<Seen>
  /// The number of bytes that waiting snapshots may occupy.
  private let room: Int
  /// The size of an item without its values.
  private static var itemBytes: Int { MemoryLayout<SeenItem.Timed>.stride }

  init(memory limit: Int, snapshotEvery every: Int) {
    room = limit / 4
    seen = Lock(Seen(feed: TraceFeed(limit: limit), pace: SnapshotPace(every: every)))
  }

  static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  // MARK: Events

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
  func happened(_ event: StoreEvent.Kind, isClosing: Bool = false) -> Need {
    var isDetail = false
    if case .updated = event { isDetail = true }
    return seen.withLock { seen in
      if seen.isOver { return .nothing }
      if isClosing { seen.closes(at: Self.now) }
      return seen.need(
        seen.feed.happened(weight: seen.eventBytes, isDetail: isDetail) {
          (Self.now, .event(event))
        })
    }
  }

  /// Adds the state after a recorded action.
  ///
  /// - Parameters:
  ///   - time: the time of the action; now by default.
  ///   - isLast: whether the recording ends with the state.
  func snapshot(_ state: any Sendable, after sequence: UInt64, at time: UInt64 = now, isLast: Bool = false) {
    seen.withLock { seen in
      if seen.isOver { return }
      seen.putState(time, after: sequence, .state(state, sequence: sequence, isLast: isLast))
    }
  }

  /// The recording's connection is about to end.
  ///
  /// - Returns: the work before that: a snapshot of the last state, after a gap a complete one.
  func ending() -> Need {
    seen.withLock { seen in
      var need = Need()
      if seen.isOver || !seen.hasBegun { return need }
      need.resumes = seen.feed.ended()
      need.snapshot = need.resumes == nil && seen.pace.isBehind
      return need
    }
  }

  /// Adds the complete snapshot with which a gap ends.
  func resumed(_ item: SeenItem, after sequence: UInt64 = 0) {
    seen.withLock { seen in
      seen.pace.snapshotTaken()
      seen.putState(Self.now, after: sequence, item)
    }
  }

  /// A task of a run begins or ends a wait.
  ///
  /// - Returns: whether there is anything to write.
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

  /// Adds an item that is never dropped.
  func add(_ item: SeenItem, weight: Int) {
    seen.withLock { seen in
      let item = SeenItem.Timed(Self.now, item)
      if seen.isOver { return }
      if seen.hasBegun { seen.feed.put(weight: weight, item) } else { seen.early.append(item) }
    }
  }

  /// The recording's connection has ended.
  ///
  /// - Returns: whether the recording had begun, and the remaining work.
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

  /// Returns whether everything is written. If so, the next event has to wake the queue.
  func rests() -> Bool {
    seen.withLock { seen in
      guard seen.feed.isEmpty else { return false }
      seen.isServing = false
      return true
    }
  }

  /// Moves the items to be written into a list whose memory is reused.
  ///
  /// - Returns: the number of details that were lost.
  func take(into items: inout [SeenItem.Timed]) -> Int { seen.withLock { $0.feed.take(into: &items) } }

  func written(_ report: TraceReport, hasFailed: Bool, bytesOfAction: Int) {
    seen.withLock { seen in
      if hasFailed { seen.isOver = true }
      // About 100 bytes of a line are not part of the values. A value too large for an item is allocated separately.
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
