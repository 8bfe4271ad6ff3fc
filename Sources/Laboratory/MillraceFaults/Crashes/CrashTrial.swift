/// The points at which the program can end in one run of a test, and the state at the end. Pure.
struct CrashTrial<State: Sendable> {
  /// How many steps the test has made.
  private(set) var steps = 0
  /// The number of points: the steps, and each action of an answer except the last.
  private(set) var points = 0
  /// The end of the program; `nil` until a rerun has reached it.
  var crash: Crash<State>?
  /// The requests of the run in which the program does not end.
  var asked: [any Hashable & Sendable] = []
  var disk = DiskRecord<State>()
  var scripts = RunScripts()
  /// The scripts of the runs when the program ended. Each script is used once, so that a request that leads to itself
  /// does not repeat for ever.
  private var earlier: [RunKey: RunScripts.Script] = [:]

  mutating func pointReached(isWithinStep: Bool) {
    points += 1
    if !isWithinStep { steps += 1 }
  }

  /// The program ends, and begins again.
  mutating func restarted() {
    (earlier, scripts) = (scripts.newest, RunScripts())
    disk.restarted()
  }

  mutating func takeEarlier(_ run: RunKey) -> RunScripts.Script? { earlier.removeValue(forKey: run) }
}
