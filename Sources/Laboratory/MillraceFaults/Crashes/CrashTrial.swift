/// The points at which a test's program can end, and the state that is left at each, as one run has shown them. Pure.
struct CrashTrial<State: Sendable> {
  /// How many steps the test has made.
  private(set) var steps = 0
  /// The steps, and the actions of answers that others follow.
  private(set) var points = 0
  /// The end of the program, in a rerun that has reached it.
  var crash: Crash<State>?
  var disk = DiskRecord<State>()
  var scripts = RunScripts()
  /// The scripts of the runs when the program ended. Each script is taken once, so that a request that leads to
  /// itself does not go on for ever.
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
