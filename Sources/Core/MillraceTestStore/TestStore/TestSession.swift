import Millrace
import MillraceCoverage
import MillraceDescriptors
import MillraceSpelling

/// The store under test with its record of events: the shell around ``TestBook``.
package final class TestSession<State: Equatable & Sendable, Action: Sendable>: Sendable {
  package let book: Lock<TestBook<State, Action>>
  package let serving: RunServing
  /// Changes this run of the test; `nil` in an ordinary run.
  package let rehearsal: (any Rehearsal<State, Action>)?
  /// The places that runs have in the lines of their effects.
  let places = Lock<[UInt64: RunPlaces]>([:])
  /// The time limit of a step, and the clock that measures it.
  let patience = Lock<(limit: Duration, clock: any Clock<Duration>)>(
    (.seconds(10), PatientClock(ContinuousClock())))
  /// The current step of the test.
  let current = Lock<TestStep?>(nil)
  /// Whether a step has exceeded its time limit. Later failures follow from that and are not reported.
  let isStuck = Lock(false)
  /// The outcomes of each request, without those of reruns.
  let coverage = Lock(RequestCoverage())
  /// The coverage entries of connected effects, by the numbers of their connections; empty in reruns.
  private let covered = Lock<[UInt64: EffectCoverage]>([:])
  /// The identities that effects have given to requests, by the numbers of their connections.
  private let identities = Lock<[UInt64: KnownIdentities]>([:])
  let held = Lock<[UInt64: HeldRun]>([:])
  private let program = Lock<(stage: Stage, store: Store<State, Action>)?>(nil)
  private let failing = Lock<(reporter: FailureReporter, place: TestPlace)?>(nil)
  package let initialState: State
  private let options: StoreOptions
  package let reduce: Reducer<State, Action>
  package let connect: @Sendable (Store<State, Action>) -> Void

  /// The program from one start to its end. Its store refers to it, so it does not refer to the store.
  private final class Stage: RunHolder {
    private let session: @Sendable () -> TestSession?

    init(of session: TestSession) { self.session = { [weak session] in session } }

    /// The session, as long as this is its current stage.
    var current: TestSession? {
      guard let session = session(), session.program.withLock({ $0?.stage === self }) else { return nil }
      return session
    }

    func connected(_ connection: ConnectionIdentity, _ effect: any Sendable) {
      current?.connected(connection, effect)
    }
    func begun(_ run: HeldRun) { current?.begun(run) }
    func stopped(_ run: HeldRun) { if let current { current.stopped(run) } else { run.finish() } }
  }

  package init(
    initialState: State, serving: RunServing, options: StoreOptions,
    reduce: @escaping Reducer<State, Action>, connect: @escaping @Sendable (Store<State, Action>) -> Void,
    rehearsal: (any Rehearsal<State, Action>)? = nil
  ) {
    book = Lock(TestBook(initialState))
    self.initialState = initialState
    self.serving = serving
    self.options = options
    self.reduce = reduce
    self.connect = connect
    self.rehearsal = rehearsal
  }

  package var store: Store<State, Action> {
    guard let store = program.withLock({ $0 })?.store else {
      preconditionFailure("a session begins before it is used")
    }
    return store
  }

  /// The place where the test store, or the object that reruns the test, was made.
  package var origin: TestPlace { failing.withLock { $0?.place } ?? TestPlace() }

  var isFinished: Bool { book.withLock { $0.isFinished } }

  /// Makes the store, and connects the feature to it.
  func begin(diagnosing reporter: FailureReporter, at place: TestPlace) {
    failing.withLock { $0 = (reporter, place) }
    begin(with: book.withLock { $0.asserted })
  }

  /// Starts the program with a state: connects the feature to a new store.
  package func begin(with state: State) {
    let failing = failing.withLock { $0 }
    var options = options
    options.diagnostics = StoreDiagnostics { diagnostic in
      // A long wait may be the machine's fault, so it does not fail the test.
      if diagnostic.kind == .longWait { return StandardError.write(line: "\(diagnostic)") }
      failing?.reporter.fail("\(diagnostic)", at: failing?.place ?? TestPlace())
    }
    let stage = Stage(of: self)
    options.seams.holder = stage
    options.seams.settlesWhenParked = true
    options.seams.witness = { [weak stage] event in stage?.current?.witness(event) }
    let store = Store(
      initialState: state, on: .immediate, options: options,
      reduce: { [book, reduce, rehearsal] (state: inout State, action: Action) in
        reduce(&state, action)
        let reduced = state
        let sender = book.withLock { $0.didReduce(reduced) }
        rehearsal?.reduced(action, from: sender, to: reduced)
      })
    let previous = program.exchange((stage, store))
    // Requests and identities are the user's values, so they are released with no lock held, as is the program.
    let former = (held.exchange([:]), identities.exchange([:]))
    for run in places.withLock({ Array($0.keys) }) { leavePlaces(of: run) }
    withExtendedLifetime((previous, former)) {}  // released with no lock held
    connect(store)
  }

  private func connected(_ connection: ConnectionIdentity, _ effect: any Sendable) {
    guard rehearsal?.isRerun != true, let effect = effect as? any EffectComponent else { return }
    let entry = effect.coverage(at: connection)
    coverage.withLock { $0.connected(entry) }
    covered.withLock { $0[connection.number] = entry }
  }

  private func cover(_ run: RunIdentity, _ body: (inout KindCoverage) -> Void) {
    // A run that is stopped by the end of the test does not count as stopped by a test.
    guard !isFinished, let effect = covered.withLock({ $0[run.connection] }) else { return }
    coverage.withLock { $0.change(effect, Spelling.kind(of: run.request), body) }
  }

  private func witness(_ event: StoreEvent.Kind) {
    switch event {
    case .willReduce(let action, _, let cause):
      guard let action = action as? Action else { return }
      if let run = cause.run { cover(run) { $0.sent.insert(Spelling.kind(of: action)) } }
      book.withLock { $0.willReduce(action, from: cause.run, at: cause.site) }
    case .runStarted(let run, _): cover(run) { $0.runs += 1 }
    case .runHandedOver(let run, let request):
      book.withLock { $0.handedOver(request, to: run) }
      if let rehearsal, let run = held.withLock({ $0[run.generation] }) {
        rehearsal.asked(request, of: run, in: self)
      }
    case .runEnded(let run, let ending, _):
      cover(run) { $0.ended(ending) }
      book.withLock { $0.ended(run, ending) }
      if !ending.isStop { release(run.generation) }
    case .runReturned(let run, _): release(run.generation)
    default: break
    }
  }

  /// Fails the test if an effect has given equal requests different identities, once for each connection. Runs of such
  /// a request would overlap, or be stopped and started again.
  private func checkIdentity(of run: HeldRun) {
    guard rehearsal?.isRerun != true, let effect = run.effect as? any EffectComponent else { return }
    let ids = (0..<2).compactMap { _ in effect.anyID(of: run.request) }
    // Moved out of the lock, since `==` and `hash(into:)` are the user's code.
    let connection = run.identity.connection
    var known = identities.withLock { $0.removeValue(forKey: connection) } ?? KnownIdentities()
    let isNew = known.isFirstMistake(run.request, ids)
    identities.withLock { [known] in $0[connection] = known }
    guard isNew, let (reporter, place) = failing.withLock({ $0 }) else { return }
    let message = "id(of:) of \(run.identity.name) gives \(Spelling.text(of: run.request)) two identities"
    reporter.fail("\(message); equal requests need equal ones", at: place)
  }

  // MARK: Runs

  private func begun(_ run: HeldRun) {
    checkIdentity(of: run)
    book.withLock {
      $0.begun(run.identity, isLongRunning: run.isLongRunning, parts: run.parts, startedBy: run.startedBy)
    }
    rehearsal?.asked(run.request, of: run, in: self)
    if serving == .bodies { return run.serve() }
    takePlaces(for: run)
  }

  /// Makes the run wait for an answer.
  func hold(_ run: HeldRun) {
    held.withLock { $0[run.generation] = run }
    run.answer.begin()
  }

  /// The run no longer waits for an answer.
  func release(_ run: UInt64) { _ = held.withLock { $0.removeValue(forKey: run) } }

  /// The selected runs that wait for an answer. If no newest request matches, earlier ones count.
  func held(_ selection: RunSelection) -> [HeldRun] {
    // If another thread makes a turn, such as a recorder's, a run may have ended before this session is notified.
    let live = book.withLock { $0.inProgress(selection) }
    return held.withLock { held in live.compactMap { held[$0] } }
  }

  /// The request of a run; if newer ones were handed over, the newest.
  package func request(of run: HeldRun) -> any Hashable & Sendable {
    book.withLock { $0.seen(run.generation)?.request } ?? run.request
  }

  /// All runs that wait for an answer, oldest first.
  package var heldRuns: [HeldRun] {
    held.withLock { Array($0.values) }.sorted { $0.generation < $1.generation }
  }

  /// Executes the run's body instead of answering.
  package func serve(_ run: HeldRun) {
    rehearsal?.executes(run)
    release(run.generation)
    leavePlaces(of: run.generation)  // the body takes its own places
    run.serve()
  }

  /// Gives an answer to a run, or lets the rehearsal replace the answer.
  ///
  /// - Returns: the reason why the answer could not be given, in words; `nil` if it was.
  func give(_ answer: RunAnswer, to run: HeldRun) -> String? {
    if let rehearsal { return rehearsal.give(answer, to: run, in: self) }
    for action in answer.actions {
      if let problem = send(action, from: run, at: answer.site) { return problem }
    }
    return end(answer.end, of: run)
  }

  /// Makes a run send an action.
  ///
  /// - Returns: the reason why it could not be sent, in words; `nil` if it was.
  package func send(_ action: any Sendable, from run: HeldRun, at site: CallSite) -> String? {
    switch run.send(action, at: site) {
    case .reduced: nil
    case nil:
      "\(run.text) sends \(Spelling.name(of: run.types.action)), not \(Spelling.name(of: type(of: action))). "
        + "Give what the effect itself sends; its connection turns that into an action of the store."
    default: "\(Spelling.text(of: action)) came too late: what \(run.text) had sent before has stopped it."
    }
  }

  /// Makes a run continue or end.
  ///
  /// - Returns: the reason why it could not end so, in words; `nil` if it did.
  package func end(_ end: RunEnd, of run: HeldRun) -> String? {
    switch end {
    case .continues: return nil
    case .returns: run.finish()
    case .fails(let error):
      if !run.fail(error) {
        let (expected, given) = (Spelling.name(of: run.types.failure), Spelling.name(of: type(of: error)))
        return "\(run.text) throws \(expected), not \(given)."
      }
    }
    leavePlaces(of: run.generation)
    return nil
  }

  /// A run was stopped: makes it return.
  private func stopped(_ run: HeldRun) {
    rehearsal?.stopped(run)
    run.finish()
    leavePlaces(of: run.generation)
  }
}

extension KindCoverage {
  fileprivate mutating func ended(_ ending: StoreEvent.Ending) {
    switch ending {
    case .finished: finished += 1
    case .answered: answered += 1
    case .withdrawn: withdrawn += 1
    case .disconnected: disconnected += 1
    case .failed: failed += 1
    }
  }
}

extension ActionCause {
  fileprivate var run: RunIdentity? {
    if case .run(let run, _, _) = self { run } else { nil }
  }

  fileprivate var site: CallSite? {
    switch self {
    case .outside(let site), .run(_, _, let site): site
    }
  }
}
