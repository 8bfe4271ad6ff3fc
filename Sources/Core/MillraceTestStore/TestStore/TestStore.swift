import Millrace
import MillraceTesting

/// A store for tests: connects a feature as the program does, and checks every step that the test describes.
///
/// ```swift
/// @Test func search() async {
///   let store = TestStore(initialState: Search.State(), reduce: Search.reduce) {
///     $0.connect(SearchEffect(client: SearchClient()))
///   }
///   store.send(.queryChanged("swift")) { $0.query = "swift" }
///   store.answer("swift", with: .arrived(["swift.org"])) { $0.results = ["swift.org"] }
///   await store.finish()
/// }
/// ```
///
/// The test sends actions and states how each changes the state. By default no body of an effect is executed: the test
/// answers the requests in progress, so effects need no mocks. With ``RunServing/bodies`` the bodies execute, with the
/// test's clocks and other dependencies, and the test receives the actions that they send.
///
/// By default the test store is exhaustive. It fails the test, at the line of the call, if
///
/// - the state differs from what the test stated,
/// - an action of a run was reduced and not received,
/// - a request was asked for and never answered or named,
/// - a request is still in progress at the end.
///
/// ``exhaustivity`` and ``ignore(_:)`` relax this. Every test ends with `finish()`.
///
/// A test never hangs: a step that exceeds ``timeLimit`` fails, and names what it waits for.
///
/// Actions are reduced on the caller's stack, so a step is complete when its call returns. Callable from any thread,
/// one call at a time. Works with Swift Testing and with XCTest.
public final class TestStore<State: Equatable & Sendable, Action: Sendable>: Sendable {
  package let session: TestSession<State, Action>
  let reporter: FailureReporter
  package let place: TestPlace

  /// Makes a test store, and connects a feature to it.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - serving: who serves the requests that the state asks for; by default the test.
  ///   - seed: if given, everything without a promised order is shuffled, in the same way for the same seed.
  ///   - options: the store's name and loop budget. Mistakes that the store finds fail the test.
  ///   - reduce: changes the state in answer to one action.
  ///   - connect: connects the feature's components to the store, as the program does.
  public init(
    initialState: State, serving: RunServing = .answered, seed: UInt64? = nil,
    options: StoreOptions = StoreOptions(),
    reduce: @escaping Reducer<State, Action>,
    connect: @escaping @Sendable (Store<State, Action>) -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    reporter = FailureReporter()
    session = TestSession(
      initialState: initialState, serving: serving, options: seed.map(options.shuffled) ?? options,
      reduce: reduce, connect: connect)
    session.begin(diagnosing: reporter, at: place)
  }

  /// Makes a test store of a session that has not begun.
  package init(session: TestSession<State, Action>, place: TestPlace) {
    self.place = place
    self.session = session
    reporter = FailureReporter()
    session.begin(diagnosing: reporter, at: place)
  }

  deinit {
    guard !session.isFinished else { return }
    reporter.fail("The test store was let go of before finish().", at: place)
  }

  /// The store that the feature is connected to, for connecting more and for reading its activity.
  public var store: Store<State, Action> { session.store }

  /// The present state.
  public var state: State { session.store.state }

  /// The kinds of assertions that the test must make; all by default.
  public var exhaustivity: Exhaustivity {
    get { session.book.withLock { $0.exhaustivity } }
    set { session.book.withLock { $0.exhaustivity = newValue } }
  }

  /// The real time that a step waits for work before it fails; ten seconds by default. After such a failure, no later
  /// step of the test waits. Work that waits for the test takes none of this time. If other tests have taken all turns
  /// on the processor, the work gets some turns before the step fails.
  public var timeLimit: Duration {
    get { session.patience.withLock { $0.limit } }
    set { session.patience.withLock { $0.limit = newValue } }
  }

  /// Leaves a slice of the state out of all assertions, for a value that is irrelevant to the test.
  public func ignore<Slice>(_ slice: any WritableKeyPath<State, Slice> & Sendable) {
    session.book.withLock {
      $0.ignore { expected, actual in expected[keyPath: slice] = actual[keyPath: slice] }
    }
  }

  /// Fails the test, unless a step has exceeded its time limit: later failures follow from that.
  package func fail(_ message: String, at place: TestPlace) {
    if !session.isStuck.withLock({ $0 }) { reporter.fail(message, at: place) }
  }
}

/// Who serves the requests that the state of a ``TestStore`` asks for.
public enum RunServing: Sendable, Hashable {
  /// The test, by `answer(_:in:named:with:)` and similar calls. No body is executed, and a stopped run returns at once.
  /// Limits of concurrent runs, such as `limited(to:)`, hold as in the program.
  case answered
  /// The effects themselves: each run executes its body, in a task of its own.
  case bodies
}

/// The kinds of assertions that a test of a ``TestStore`` must make.
public struct Exhaustivity: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: Int

  /// Makes a set of raw options. Use the named ones.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Every change of the state. Without this option, the closure of a step is applied to the state after the step, so
  /// it describes only the relevant changes.
  public static let state = Exhaustivity(rawValue: 1)
  /// Every request: the test answers it, expects it to be in progress, or expects it to have been stopped. None is in
  /// progress at the end.
  public static let requests = Exhaustivity(rawValue: 2)
  /// Every reduced action of a run: the test receives it or has sent it from the run.
  public static let actions = Exhaustivity(rawValue: 4)
  /// All kinds of assertions.
  public static let all: Exhaustivity = [.state, .requests, .actions]
  /// No assertions.
  public static let none: Exhaustivity = []
}
