import Dispatch
import Millrace

/// Something that a recorder has seen. Without the types of the store: a list of generic values would look its type up at
/// every append, on the reducer queue.
enum SeenItem: Sendable {
  case began(any Sendable, WitnessedMoment, WitnessedNames)
  case action(any Sendable, WitnessedTurn)
  /// The state after so many actions.
  case state(any Sendable, sequence: UInt64)
  /// - Parameter isInPart: whether what was connected belongs to a part of the state.
  case event(StoreEvent.Kind, isInPart: Bool)
  case wait(WitnessedWait)
  /// The next actions are reduced together.
  case batch(Int)
  case closing
  case resumed(lost: Int, details: Int, any Sendable, WitnessedMoment)
  case note(kind: String, text: String)
  case diagnostic(StoreDiagnostic)
  /// - Parameter isClosing: whether the store was being shut down.
  case ended(isClosing: Bool)

  /// An item with its time, in nanoseconds of the machine's own clock.
  typealias Timed = (time: UInt64, item: SeenItem)
}

/// What a recorder has to know of its store.
struct WitnessedNames: Sendable {
  let store: String
  /// The number of the recorder's own connection, which is left out.
  let connection: UInt64
}

/// What a recorder has seen and not written, and what it decides by.
private struct Seen {
  var feed: TraceFeed<SeenItem.Timed>
  var pace: SnapshotPace
  var isServing = false
  var isClosing = false
  /// Whether the recording has its place in the store. What is put in before is kept until then.
  var hasBegun = false
  var early: [SeenItem.Timed] = []
  /// How many actions of a batch are still to be seen.
  var batch = 0
  /// About how many bytes an event and a state occupy.
  var eventBytes = 200
  var stateBytes = 4096
  /// Whether nothing is recorded any more: it has ended, or cannot be written.
  var isOver = false
  /// When the queue was woken last, or is to be.
  var woken: UInt64 = 0

  /// How long to wait before the queue is woken, in nanoseconds: where events are dense, it is woken once a millisecond.
  mutating func delay(now: UInt64) -> UInt64 {
    let next = max(now, woken + 1_000_000)
    woken = next
    return next - now
  }
}

/// Records a store. On the reducer queue it appends what it sees to a feed; everything else is done on a queue of its
/// own.
///
/// | field | guarded by |
/// |---|---|
/// | `seen` | its own lock, taken while the store's turn lock is held |
/// | `book`, `opening`, `outlets`, `signals` | used on `queue` alone |
/// | everything else | immutable |
final class TraceRecorder<State: Sendable, Action: Sendable>: TurnWitness,
  @unchecked Sendable  // guarded as in the table
{
  private let seen: Lock<Seen>
  private let queue = DispatchQueue(label: "millrace.trace")
  private let book: TraceBook<State, Action>
  private var opening = Opening.awaited([])
  private var outlets: [Outlet] = []
  private var signals: [any DispatchSourceSignal] = []

  /// Where the recording is written out, and on which occasions.
  private struct Outlet {
    let path: String
    let occasions: Set<TraceOccasion>
  }

  /// Whether there is something to write.
  private enum Opening {
    /// The connection waits for its turn, and these for it.
    case awaited([() -> Void])
    case begun
    /// The connection has ended before it got its place.
    case missed
  }

  init(_ book: TraceBook<State, Action>, memory limit: Int, snapshotEvery every: Int) {
    self.book = book
    seen = Lock(Seen(feed: TraceFeed(limit: limit), pace: SnapshotPace(every: every)))
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  // MARK: On the reducer queue

  func began(_ store: WitnessedStore<State, Action>) {
    guard let state = store.state else { return }
    let names = WitnessedNames(store: store.name, connection: store.connection)
    let reducer = store.reducer
    queue.async { self.book.began(reducer) }
    let item = SeenItem.began(state, store.moment, names)
    see(store) { seen in
      seen.feed.put(weight: seen.stateBytes, (Self.now, item))
      for item in seen.early { seen.feed.put(weight: 64, item) }
      (seen.hasBegun, seen.early) = (true, [])
      return .kept
    }
    queue.async { self.opened(.begun) }
  }

  func reduced(_ action: Action, _ turn: WitnessedTurn, _ store: WitnessedStore<State, Action>) {
    see(store) { seen in
      if store.isClosing, !seen.isClosing {
        seen.isClosing = true
        seen.feed.put(weight: 16, (turn.start, .closing))
      }
      if turn.count > 1 {
        if seen.batch == 0 {
          seen.batch = turn.count
          _ = seen.feed.happened(weight: 16) { (turn.start, .batch(turn.count)) }
        }
        seen.batch -= 1
      }
      let fate = seen.feed.happened(weight: seen.eventBytes, canResume: seen.batch == 0) {
        (turn.start, .action(action, turn))
      }
      if fate == .kept, seen.pace.actionReduced(), let state = store.state {
        seen.feed.put(weight: seen.stateBytes, (turn.start, .state(state, sequence: turn.sequence)))
      }
      return fate
    }
  }

  func happened(_ event: StoreEvent.Kind, _ store: WitnessedStore<State, Action>) {
    var (isDetail, isInPart) = (false, false)
    switch event {
    case .willReduce, .didReduce: return
    case .connected(let connection), .disconnected(let connection):
      if connection.number == store.connection { return }
      isInPart = store.isConnectingInPart
    case .updated: isDetail = true
    default: break
    }
    see(store) { seen in
      seen.feed.happened(weight: seen.eventBytes, isDetail: isDetail) {
        (Self.now, .event(event, isInPart: isInPart))
      }
    }
  }

  func ended(_ store: WitnessedStore<State, Action>) {
    see(store) { seen in
      if !seen.hasBegun { return .dropped }
      seen.feed.put(weight: 16, (Self.now, .ended(isClosing: store.isClosing)))
      return .kept
    }
    let hasBegun = seen.withLock { seen in
      seen.isOver = true
      return seen.hasBegun
    }
    if !hasBegun { neverBegins() }
  }

  /// There is nothing to record: nobody waits for the beginning.
  func neverBegins() { queue.async { self.opened(.missed) } }

  var isBusy: Bool { seen.withLock(\.isServing) }

  /// Puts something in the feed, and sees to it that it is written. Called with the turn lock held.
  private func see(
    _ store: WitnessedStore<State, Action>, _ change: (inout Seen) -> TraceFeed<SeenItem.Timed>.Fate
  ) {
    let (delay, fate) = seen.withLock { (seen: inout Seen) -> (UInt64?, TraceFeed<SeenItem.Timed>.Fate) in
      if seen.isOver { return (nil, .dropped) }
      let fate = change(&seen)
      if fate == .dropped || seen.isServing { return (nil, fate) }
      seen.isServing = true
      return (seen.delay(now: Self.now), fate)
    }
    if case .resumes(let lost, let details) = fate, let state = store.state {
      let moment = store.moment
      seen.withLock { seen in
        seen.pace.snapshotTaken()
        seen.feed.put(
          weight: seen.stateBytes,
          (Self.now, .resumed(lost: lost, details: details, state, moment)))
      }
    }
    guard let delay else { return }
    store.work(on: queue, after: delay) { [self] in
      serve()
    } isDone: { [self] in
      seen.withLock { seen in
        guard seen.feed.waiting.isEmpty else { return false }
        seen.isServing = false
        return true
      }
    }
  }

  // MARK: Elsewhere

  func waits(_ wait: WitnessedWait) {
    let begins = seen.withLock { seen in
      if seen.isOver { return false }
      if !seen.hasBegun {
        seen.early.append((Self.now, .wait(wait)))
        return false
      }
      return seen.feed.happened(weight: seen.eventBytes, isDetail: true) { (Self.now, .wait(wait)) } == .kept
    }
    // Without the turn lock, so that it is nothing that `settled()` waits for.
    if begins { queue.async { self.serve() } }
  }

  /// Adds a note of the program's own.
  func note(_ kind: String, _ text: String) {
    add(.note(kind: kind, text: text), weight: text.utf8.count)
  }

  func reported(_ diagnostic: StoreDiagnostic) {
    add(.diagnostic(diagnostic), weight: diagnostic.message.utf8.count)
  }

  private func add(_ item: SeenItem, weight: Int) {
    seen.withLock { seen in
      let item = SeenItem.Timed(Self.now, item)
      if seen.isOver { return }
      if seen.hasBegun { seen.feed.put(weight: weight, item) } else { seen.early.append(item) }
    }
    queue.async { self.serve() }
  }

  /// Writes out what is kept, now or whenever there is an occasion.
  func addOutlet(_ path: String, _ occasions: Set<TraceOccasion>) {
    queue.async { [self] in
      outlets.append(Outlet(path: path, occasions: occasions))
      for case .signal(let number) in occasions {
        signals.append(SignalSource.make(number, queue) { [weak self] in self?.arrived(number) })
      }
    }
  }

  private func arrived(_ signal: Int32) {
    note("signal", "\(signal)")
    serve()
    writeOut([.signal(signal)])
  }

  private func writeOut(_ occasions: Set<TraceOccasion>) {
    for outlet in outlets where !outlet.occasions.isDisjoint(with: occasions) {
      book.writeOut(to: outlet.path)
    }
  }

  /// Writes out what is kept.
  func writeOut(to path: String) async throws(TraceFailure) {
    try await flush()
    let failure = await withUnsafeContinuation { continuation in
      queue.async { continuation.resume(returning: self.book.copy(to: path)) }
    }
    if let failure { throw failure }
  }

  /// Returns when the recording has begun and everything that was seen so far is written.
  func flush() async throws(TraceFailure) {
    let failure = await withUnsafeContinuation { continuation in
      queue.async {
        self.whenOpened { [self] in
          serve()
          continuation.resume(returning: book.failure ?? missed)
        }
      }
    }
    if let failure { throw failure }
  }

  /// Returns when the recording has begun, or never will.
  func begun() async {
    await withUnsafeContinuation { continuation in
      queue.async { self.whenOpened { continuation.resume() } }
    }
  }

  private var missed: TraceFailure? {
    guard case .missed = opening else { return nil }
    return TraceFailure("nothing is recorded: the store or the connection had ended before it began")
  }

  private func whenOpened(_ body: @escaping () -> Void) {
    guard case .awaited(let waiters) = opening else { return body() }
    opening = .awaited(waiters + [body])
  }

  private func opened(_ opened: Opening) {
    guard case .awaited(let waiters) = opening else { return }
    opening = opened
    for waiter in waiters { waiter() }
  }

  private func serve() {
    while true {
      let (items, details) = seen.withLock { $0.feed.take() }
      if items.isEmpty, details == 0 { return }
      book.write(items, lostDetails: details)
      let report = book.takeReport()
      if !report.occasions.isEmpty { writeOut(report.occasions) }
      seen.withLock { seen in
        if book.failure != nil { seen.isOver = true }
        seen.eventBytes = max(report.eventBytes, MemoryLayout<Action>.stride)
        if let bytes = report.snapshotBytes {
          seen.stateBytes = bytes
          seen.pace.snapshotWritten(bytes: bytes, bytesOfAction: report.eventBytes)
        }
        if report.wantsSnapshot { seen.pace.demand() }
      }
    }
  }
}
