import Millrace

/// What is the case at one moment apart from the state: what is decided, how far policies are, and how far each run is in
/// its outcome.
final class Configuration {
  let number: Int32
  let decision: Int32
  let timing: Timing
  let scripts: [RunKey: RunScript]
  let runs: [ModelledRun]
  let running: RunningRequests
  /// The names of the components and views that are connected.
  let components: [ConnectionIdentity]
  /// Whether a run acts by itself, or something that runs share changes with time.
  let isTimed: Bool

  /// Whether no policy and no outcome is under way.
  var isPlain: Bool { !isTimed && scripts.isEmpty }

  init(
    number: Int32, decision: Int32, timing: Timing, scripts: [RunKey: RunScript], runs: [ModelledRun],
    components: [ConnectionIdentity], isTimed: Bool
  ) {
    (self.number, self.decision, self.timing, self.scripts) = (number, decision, timing, scripts)
    (self.runs, self.components, self.isTimed) = (runs, components, isTimed)
    running = RunningRequests(all: runs.map(\.request), names: runs.map(\.connection.name))
  }
}

/// Tells configurations apart whose policies or outcomes are under way.
struct ConfigurationKey: Hashable {
  let decision: Int32
  let timing: Timing
  let scripts: [RunKey: RunScript]
}
