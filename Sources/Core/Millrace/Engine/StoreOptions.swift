/// Options of one store. Most programs use the defaults.
public struct StoreOptions: Sendable {
  /// The store's name in activity lists and diagnostics; by default the name of the state's type.
  public var name: String?
  /// Where mistakes in the program are reported; by default as one line each on standard error.
  public var diagnostics: StoreDiagnostics
  /// When a loop of an effect is reported.
  public var loopDetection: LoopDetection
  /// Options that only the testing modules set.
  package var seams: RuntimeSeams {
    get { changedSeams?.seams ?? RuntimeSeams() }
    set { changedSeams = ChangedSeams(newValue) }
  }
  private var changedSeams: ChangedSeams?

  // Those that are asked often, without a copy of all.
  var holder: (any RunHolder)? { changedSeams?.seams.holder }
  var wiring: (any AnyObject & Sendable)? { changedSeams?.seams.wiring }

  /// On the heap, since a program has none.
  private final class ChangedSeams: Sendable {
    let seams: RuntimeSeams
    init(_ seams: RuntimeSeams) { self.seams = seams }
  }

  /// Makes options; by default those that most programs use.
  public init(
    name: String? = nil, diagnostics: StoreDiagnostics = .standardError,
    loopDetection: LoopDetection = .standard
  ) {
    self.name = name
    self.diagnostics = diagnostics
    self.loopDetection = loopDetection
  }
}

/// A test's choices in place of the runtime's own.
package struct RuntimeSeams: Sendable {
  /// The seed of the orders that are not promised; `nil` leaves everything as it comes. In debug builds the
  /// environment variable `MILLRACE_SHUFFLE` gives the seed where this is `nil`.
  package var orderSeed: UInt64?
  /// The time by which displays are served.
  package var now: (@Sendable () -> Moment)?
  /// Measures the waits that debug builds report when they are long.
  package var clock: any Clock<Duration> = ContinuousClock()
  /// Takes the runs in place of tasks that serve them; `nil` begins the tasks.
  package var holder: (any RunHolder)?
  /// Called with every event in the turn in which it happens, with the turn lock held.
  package var witness: (@Sendable (StoreEvent.Kind) -> Void)?
  /// Records what is connected in place of connecting it.
  package var wiring: (any AnyObject & Sendable)?
  /// Whether `settled()` leaves out what waits for the test, and waits until nothing is at work, long-running or not.
  package var settlesWhenParked = false
}

/// How long a chain of runs, each started by an action of the one before, may become before the store reports a loop.
///
/// A run that lasts at least `minimumPause` begins a new chain: something outside made it wait, as in a poll that sleeps
/// between its requests.
public struct LoopDetection: Sendable, Hashable {
  /// The number of runs in a chain after which the loop is reported, once, with its cycle.
  public var maxRuns: Int
  /// The duration from which on a run counts as waiting for something outside, and begins a new chain.
  public var minimumPause: Duration

  /// Reports a chain of more than `maxRuns` runs, each shorter than `minimumPause`.
  public init(maxRuns: Int, minimumPause: Duration = .milliseconds(10)) {
    self.maxRuns = maxRuns
    self.minimumPause = minimumPause
  }

  /// 10,000 runs, each shorter than 10 ms.
  public static let standard = LoopDetection(maxRuns: 10_000)
  /// No chain is reported.
  public static let off = LoopDetection(maxRuns: .max)
}
