import Millrace
import MillraceTesting

/// The store under test with the book of what it does: the shell around ``TestBook``.
final class TestSession<State: Equatable & Sendable, Action: Sendable>: RunHolder {
  let book: Lock<TestBook<State, Action>>
  let serving: RunServing
  private let held = Lock<[UInt64: HeldRun]>([:])
  private let live: Lock<Store<State, Action>?>
  private let options: StoreOptions
  private let reduce: Reducer<State, Action>
  private let connect: @Sendable (Store<State, Action>) -> Void

  init(
    initialState: State, serving: RunServing, options: StoreOptions,
    reduce: @escaping Reducer<State, Action>, connect: @escaping @Sendable (Store<State, Action>) -> Void
  ) {
    book = Lock(TestBook(initialState))
    self.serving = serving
    self.options = options
    self.reduce = reduce
    self.connect = connect
    live = Lock(nil)
  }

  var store: Store<State, Action> {
    guard let store = live.withLock({ $0 }) else { preconditionFailure("a session begins before it is used") }
    return store
  }

  var isFinished: Bool { book.withLock { $0.isFinished } }

  /// Makes the store, and connects the feature to it.
  func begin(diagnosing reporter: FailureReporter, at place: TestPlace) {
    var options = options
    options.diagnostics = StoreDiagnostics { diagnostic in
      // A wait that takes long may be the machine's.
      if diagnostic.kind == .longWait { return StandardError.write(line: "\(diagnostic)") }
      reporter.fail("\(diagnostic)", at: place)
    }
    options.seams.holder = self
    options.seams.settlesWhenParked = true
    options.seams.witness = { [weak self] event in self?.witness(event) }
    let store = Store(
      initialState: book.withLock { $0.asserted }, on: .immediate, options: options,
      reduce: { [book, reduce] (state: inout State, action: Action) in
        reduce(&state, action)
        let reduced = state
        book.withLock { $0.didReduce(reduced) }
      })
    live.withLock { $0 = store }
    connect(store)
  }

  private func witness(_ event: StoreEvent.Kind) {
    switch event {
    case .willReduce(let action, _, let cause):
      guard let action = action as? Action else { return }
      book.withLock { $0.willReduce(action, from: cause.run) }
    case .runFinished(let run), .runFailed(let run, _): ended(run, .returned)
    case .runCancelled(let run): book.withLock { $0.ended(run, .stopped) }
    case .runEnded(let run): ended(run, .stopped)
    default: break
    }
  }

  private func ended(_ run: RunIdentity, _ phase: TestBook<State, Action>.Seen.Phase) {
    book.withLock { $0.ended(run, phase) }
    _ = held.withLock { $0.removeValue(forKey: run.generation) }
  }

  // MARK: Runs

  func begun(_ run: HeldRun) {
    book.withLock {
      $0.begun(run.identity, isBackground: run.isBackground, parts: run.parts, startedBy: run.startedBy)
    }
    if serving == .bodies { return run.serve() }
    held.withLock { $0[run.generation] = run }
    run.park()
  }

  func stopped(_ run: HeldRun) { run.finish() }

  /// The runs of a request that wait for an answer.
  func held(_ request: AnyHashable, in part: AnyHashable?) -> [HeldRun] {
    held.withLock {
      $0.values.filter { AnyHashable($0.request) == request && (part == nil || $0.parts.last == part) }
    }
    .sorted { $0.generation < $1.generation }
  }

  /// The run's body is executed after all.
  func serve(_ run: HeldRun) {
    _ = held.withLock { $0.removeValue(forKey: run.generation) }
    run.serve()
  }
}

extension ActionCause {
  fileprivate var run: RunIdentity? {
    if case .run(let run, _, _) = self { run } else { nil }
  }
}
