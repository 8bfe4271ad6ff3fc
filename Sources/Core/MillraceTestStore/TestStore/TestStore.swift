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
/// The test sends actions and says how each changes the state. By default no body of an effect is executed: the test
/// answers the requests that are in progress, so effects need no mocks. With ``RunServing/bodies`` the bodies execute,
/// on test clocks and other dependencies of the test, and the test receives what they send.
///
/// By default the test store is exhaustive. It fails the test, at the line of the call, if
///
/// - the state is not as the test said,
/// - an action of a run was reduced and not received,
/// - a request was asked for and never answered or named,
/// - something still runs at the end.
///
/// ``exhaustivity`` and ``ignore(_:)`` relax this. Every test ends with `finish()`.
///
/// A test never hangs: a step that waits for longer than ``timeLimit`` fails, and names what it waits for.
///
/// Actions are reduced on the stack of the caller, so that a step is over when its call returns. Callable from any
/// thread, one call at a time. Works with Swift Testing and with XCTest.
public final class TestStore<State: Equatable & Sendable, Action: Sendable>: Sendable {
  package let session: TestSession<State, Action>
  let reporter: FailureReporter
  package let place: TestPlace

  /// Makes a test store, and connects a feature to it.
  ///
  /// - Parameters:
  ///   - initialState: the state before the first action.
  ///   - serving: who serves the requests that the state asks for; by default the test.
  ///   - seed: if given, what has no promised order is shuffled, the same way for the same seed.
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

  /// The assertions that the test has to make; all by default.
  public var exhaustivity: Exhaustivity {
    get { session.book.withLock { $0.exhaustivity } }
    set { session.book.withLock { $0.exhaustivity = newValue } }
  }

  /// How long, in real time, a step waits for what is at work before it fails; ten seconds unless set. Then no later step
  /// of the test waits. Work that waits for the test takes none of this time. Work that had no turn in that time, since
  /// other tests took them all, gets some before the step fails.
  public var timeLimit: Duration {
    get { session.patience.withLock { $0.limit } }
    set { session.patience.withLock { $0.limit = newValue } }
  }

  /// Leaves a slice of the state out of all assertions, for a value that the test does not care about.
  public func ignore<Slice>(_ slice: any WritableKeyPath<State, Slice> & Sendable) {
    session.book.withLock {
      $0.ignore { expected, actual in expected[keyPath: slice] = actual[keyPath: slice] }
    }
  }

  /// Fails the test, unless a step has waited for too long: what follows is a consequence of that.
  package func fail(_ message: String, at place: TestPlace) {
    if !session.isStuck.withLock({ $0 }) { reporter.fail(message, at: place) }
  }
}

/// The server of the requests that the state of a ``TestStore`` asks for.
public enum RunServing: Sendable, Hashable {
  /// The test, by `answer(_:in:named:with:)` and its like. No body is executed; a run that is stopped has returned at
  /// once. Limits of runs at once, as of `limited(to:)`, hold as in the program.
  case answered
  /// The effects themselves: each run executes its body, in a task of its own.
  case bodies
}

/// The assertions that a test of a ``TestStore`` has to make.
public struct Exhaustivity: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: Int

  /// Makes a set of raw options. Use the named ones.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Every change of the state. Without it, the closure of a step describes only what the test cares about: it is
  /// applied to the state after the step.
  public static let state = Exhaustivity(rawValue: 1)
  /// Every request that was asked for is named by the test: answered, or expected to run or to have been stopped; and
  /// none is in progress at the end.
  public static let requests = Exhaustivity(rawValue: 2)
  /// Every action of a run that was reduced is received or was sent by hand.
  public static let actions = Exhaustivity(rawValue: 4)
  /// Everything.
  public static let all: Exhaustivity = [.state, .requests, .actions]
  /// Nothing.
  public static let none: Exhaustivity = []
}
