import Millrace
import MillraceTesting

/// A moment without its state: the decision, the progress of policies and of runs within their outcomes, and the turns that
/// wait.
final class Configuration {
  let number: Int32
  let decision: Int32
  let timing: Timing
  let scripts: [RunKey: RunScript]
  let waiting: WaitingTurns
  let runs: [ModelledRun]
  let running: RunningRequests
  /// The names of the components and views that are connected.
  let components: [ConnectionIdentity]
  /// Whether a run acts by itself, or something that runs share changes with time.
  let isTimed: Bool

  /// Whether no policy, no outcome and no closure's action is under way.
  let isPlain: Bool

  init(
    number: Int32, decision: Int32, timing: Timing, scripts: [RunKey: RunScript],
    waiting: WaitingTurns, runs: [ModelledRun], components: [ConnectionIdentity], isTimed: Bool
  ) {
    (self.number, self.decision, self.timing, self.scripts) = (number, decision, timing, scripts)
    (self.waiting, self.runs, self.components, self.isTimed) = (waiting, runs, components, isTimed)
    isPlain = !isTimed && scripts.isEmpty && waiting.isEmpty
    running = RunningRequests(all: runs.map(\.request), names: runs.map(\.connection.name))
  }
}

/// Tells configurations apart in which a policy, an outcome or a closure's action is under way.
struct ConfigurationKey: Hashable {
  let decision: Int32
  let timing: Timing
  let scripts: [RunKey: RunScript]
  let waiting: WaitingTurns
}
