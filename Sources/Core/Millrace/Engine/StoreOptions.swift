/// Options of one store. Most programs use the defaults.
public struct StoreOptions: Sendable {
  /// The store's name in activity lists and diagnostics; by default the name of the state's type.
  public var name: String?
  /// The receiver of reports about mistakes in the program; by default one line each on standard error.
  public var diagnostics: StoreDiagnostics
  /// The length of an effect's chain of runs from which the store reports a loop.
  public var loopDetection: LoopDetection
  /// Options that only the testing modules set.
  package var seams: RuntimeSeams {
    get { changedSeams?.value ?? RuntimeSeams() }
    set { changedSeams = Box(newValue) }
  }
  /// On the heap, since a program sets none.
  private var changedSeams: Box<RuntimeSeams>?

  // Options that are read often.
  var holder: (any RunHolder)? { changedSeams?.value.holder }
  var wiring: (any ConnectionRecorder)? { changedSeams?.value.wiring }

  /// Makes options; by default those of most programs.
  public init(
    name: String? = nil, diagnostics: StoreDiagnostics = .standardError,
    loopDetection: LoopDetection = .standard
  ) {
    self.name = name
    self.diagnostics = diagnostics
    self.loopDetection = loopDetection
  }
}

/// A test's replacements for parts of the runtime.
package struct RuntimeSeams: Sendable {
  /// The seed of all orders that are not promised; `nil` keeps the given order. In debug builds, the environment
  /// variable `MILLRACE_SHUFFLE` gives the seed if this is `nil`.
  package var orderSeed: UInt64?
  /// The current time for serving displays.
  package var now: (@Sendable () -> Moment)?
  /// The clock for the waits that debug builds report when they are long.
  package var clock: any Clock<Duration> = ContinuousClock()
  /// Takes the runs instead of tasks that serve them; `nil` begins the tasks.
  package var holder: (any RunHolder)?
  /// Called with every event in its turn, with the turn lock held; with refusals only if there are taps.
  package var witness: (@Sendable (StoreEvent.Kind) -> Void)?
  /// Records connections instead of making them.
  var wiring: (any ConnectionRecorder)?
  /// Whether `settled()` ignores work that waits for the test, and waits for the jobs of long-running work, too.
  package var settlesWhenParked = false
}

/// Takes note of what a store that runs nothing is asked to do.
protocol ConnectionRecorder: AnyObject, Sendable {
  func connects(_ connected: Connected)
  func reads(_ state: some Sendable)
}

/// The length that a chain of runs may have before the store reports a loop. In a chain, an action of each run starts
/// the next one.
///
/// A run that lasts at least `minimumPause` begins a new chain, since something outside made it wait, as in a poll that
/// sleeps between its requests.
public struct LoopDetection: Sendable, Hashable {
  /// The number of runs in a chain after which the loop is reported, once, with its cycle.
  public var maxRuns: Int
  /// The duration from which a run counts as waiting for something outside.
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
