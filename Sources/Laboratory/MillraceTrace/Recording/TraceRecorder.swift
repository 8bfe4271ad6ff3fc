import Dispatch
import Foundation
import Millrace

/// A recorder without the types of its store.
protocol AnyTraceRecorder: Sendable {
  func begun() async
  func flush() async throws(TraceFailure)
  func note(_ kind: String, _ text: String)
  func contents() async throws(TraceFailure) -> [UInt8]
  func writeOut(to path: String) async throws(TraceFailure)
  func addOutlet(_ path: String, _ occasions: Set<TraceOccasion>)
}

/// Records a store. On the reducer queue it only appends events to a feed. The rest happens on its own queue.
///
/// | field | guarded by |
/// |---|---|
/// | `seen` | a lock of its own, taken while the store's turn lock is held |
/// | `book`, `batch`, `opening`, `outlets`, `signals` | used on `queue` alone |
/// | everything else | immutable |
final class TraceRecorder<State: Sendable, Action: Sendable>: TurnWitness,
  AnyTraceRecorder, @unchecked Sendable  // what varies is guarded, as in the table
{
  private let seen: SeenEvents
  private let queue = DispatchQueue(label: "millrace.trace")
  private let book: TraceBook<State, Action>
  private var batch: [SeenItem.Timed] = []
  private var opening = Opening.awaited([])
  /// The occasions on which the recording is written out, by the paths of the files.
  private var outlets: [String: Set<TraceOccasion>] = [:]
  private var signals: [any DispatchSourceSignal] = []

  /// Whether the recording has begun.
  private enum Opening {
    /// The recording's connection waits for its turn; the tasks are resumed then.
    case awaited([UnsafeContinuation<Void, Never>])
    case begun
    /// The connection ended before it had its turn.
    case missed
  }

  init(_ book: TraceBook<State, Action>, memory limit: Int, snapshotEvery every: Int) {
    self.book = book
    seen = SeenEvents(memory: limit, snapshotEvery: every)
  }

  // MARK: On the reducer queue

  func began(_ store: WitnessedStore<State, Action>) {
    guard let state = store.state else { return }
    let reducer = store.reducer
    queue.async { self.book.began(reducer) }
    meet(seen.began(.moment(state, store.moment, gap: nil)), store)
    queue.async { self.opened(.begun) }
  }

  func reduced(_ action: Action, _ turn: WitnessedTurn, _ store: WitnessedStore<State, Action>) {
    let need = seen.reduced(action, turn)
    if need.snapshot, let state = store.state { seen.snapshot(state, after: turn.sequence, at: turn.start) }
    meet(need, store)
  }

  func happened(_ event: StoreEvent.Kind, _ store: WitnessedStore<State, Action>) {
    let isClosing =
      switch event {
      // A run may end while the store closes, without a later action that would show the closing.
      case .runEnded(_, .finished, _), .runEnded(_, .failed, _), .runEnded(_, .disconnected, _), .runReturned:
        store.isClosing
      default: false
      }
    meet(seen.happened(event, isClosing: isClosing), store)
  }

  func ended(_ store: WitnessedStore<State, Action>) {
    let due = seen.ending()
    if due.snapshot, let state = store.state { seen.snapshot(state, after: store.sequence, isLast: true) }
    meet(due, store)
    let (hasBegun, need) = seen.ended(isClosing: store.isClosing)
    meet(need, store)
    if !hasBegun { neverBegins() }
  }

  /// The recording never begins: resumes the tasks that wait for its beginning.
  func neverBegins() { queue.async { self.opened(.missed) } }

  /// Does the work that an added event requires. Called with the turn lock held.
  private func meet(_ need: SeenEvents.Need, _ store: WitnessedStore<State, Action>) {
    if let gap = need.resumes, let state = store.state {
      let moment = store.moment
      seen.resumed(.moment(state, moment, gap: gap), after: moment.sequence)
    }
    guard let delay = need.wakeUp else { return }
    store.work(on: queue, after: delay) { [self] in
      serve()
    } isDone: { [seen] in
      seen.rests()
    }
  }

  // MARK: Called outside of turns

  func waits(_ wait: WitnessedWait) {
    // Called without the turn lock, so that `settled()` does not wait for it.
    if seen.waits(wait) { queue.async { self.serve() } }
  }

  /// Adds a line of the program or of the recorder.
  func note(_ kind: String, _ text: String) {
    add(.note(kind: kind, text: text), weight: text.utf8.count)
  }

  func reported(_ diagnostic: StoreDiagnostic) {
    add(.diagnostic(diagnostic), weight: diagnostic.message.utf8.count)
  }

  private func add(_ item: SeenItem, weight: Int) {
    seen.add(item, weight: weight)
    queue.async { self.serve() }
  }

  /// Writes the recording to a file on each occasion.
  func addOutlet(_ path: String, _ occasions: Set<TraceOccasion>) {
    queue.async { [self] in
      outlets[path, default: []].formUnion(occasions)
      for case .signal(let number) in occasions {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { [weak self] in
          self?.note("signal", "\(number)")
          self?.serve()
          self?.writeOut([.signal(number)])
        }
        source.resume()
        signals.append(source)
      }
    }
  }

  private func writeOut(_ occasions: Set<TraceOccasion>) {
    for (path, wanted) in outlets where !wanted.isDisjoint(with: occasions) { book.writeOut(to: path) }
  }

  /// The bytes of the recording in the format of a file; after a rotation, those of the newest file.
  func contents() async throws(TraceFailure) -> [UInt8] {
    try await flush()
    return try await onQueue { () throws(TraceFailure) in try self.book.contents() }
  }

  /// Writes the recording to a file, on the queue, as every use of `book`.
  func writeOut(to path: String) async throws(TraceFailure) {
    try await flush()
    try await onQueue { () throws(TraceFailure) in try FileSink.replace(path, with: self.book.contents()) }
  }

  /// Returns once the recording has begun and every event so far is written.
  func flush() async throws(TraceFailure) {
    await begun()
    try await onQueue { [self] () throws(TraceFailure) in
      serve()
      if let failure = book.failure { throw failure }
      if case .missed = opening {
        throw TraceFailure("nothing is recorded: the store or the connection had ended before it began")
      }
    }
  }

  private func onQueue<Value: Sendable>(
    _ body: @escaping @Sendable () throws(TraceFailure) -> Value
  ) async throws(TraceFailure) -> Value {
    let result = await withUnsafeContinuation { continuation in
      queue.async { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
  }

  /// Returns once the recording has begun, or if it never will.
  func begun() async {
    await withUnsafeContinuation { continuation in
      queue.async {
        guard case .awaited(let waiters) = self.opening else { return continuation.resume() }
        self.opening = .awaited(waiters + [continuation])
      }
    }
  }

  private func opened(_ opened: Opening) {
    guard case .awaited(let waiters) = opening else { return }
    opening = opened
    for waiter in waiters { waiter.resume() }
  }

  private func serve() {
    while true {
      let details = seen.take(into: &batch)
      if batch.isEmpty, details == 0 { return }
      book.write(batch, lostDetails: details)
      batch.removeAll(keepingCapacity: true)
      let report = book.takeReport()
      if !report.occasions.isEmpty { writeOut(report.occasions) }
      seen.written(
        report, hasFailed: book.failure != nil, bytesOfAction: MemoryLayout<Action>.stride)
    }
  }
}
