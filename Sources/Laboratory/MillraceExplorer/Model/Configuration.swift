import Millrace
import MillraceFeature
import MillraceTesting

/// What an exploration knows of a moment beside its state: the decision, the progress of policies, the progress of runs
/// within their outcomes, and the turns that wait.
final class Configuration {
  let number: Int32
  /// Equal for two configurations whose runs have the same progress in the same places, whatever the numbers of their
  /// requests.
  let likeness: Int32
  let key: ConfigurationKey
  let runs: [ModelledRun]
  let running: RunningRequests
  /// The names of the components and views that are connected.
  let components: [ConnectionIdentity]
  /// Whether a run acts by itself, or a shared entrance changes with time.
  let isTimed: Bool

  /// Whether no policy, outcome or closure's action is in progress.
  let isPlain: Bool

  init(
    number: Int32, likeness: Int32, _ key: ConfigurationKey, runs: [ModelledRun],
    components: [ConnectionIdentity], isTimed: Bool
  ) {
    (self.number, self.likeness, self.key) = (number, likeness, key)
    (self.runs, self.components, self.isTimed) = (runs, components, isTimed)
    isPlain = !isTimed && key.isPlain
    running = RunningRequests(all: runs.map(\.request), names: runs.map(\.connection.name))
  }

  /// Whether another configuration of equal likeness may replace this one: in each run with progress or older values,
  /// the newest, older and served values are equal or `areSame`.
  func isLike(
    _ other: Configuration, where areSame: (RunningRequests, RunningRequests) -> Bool
  ) -> Bool {
    runs.indices.allSatisfy { index in
      let run = runs[index]
      let script = key.scripts[run.key]
      if key.timing.runs[run.key] == nil, script == nil, run.values.count == 1 { return true }
      let otherRun = other.runs[index]
      func isLike(_ one: RunValue, _ another: RunValue) -> Bool {
        AnyHashable(one.request) == AnyHashable(another.request)
          || areSame(running(with: one, at: index), running(with: another, at: index))
      }
      let (older, others) = (run.values.dropLast(), otherRun.values.dropLast())
      let served = (script?.value, other.key.scripts[otherRun.key]?.value)
      return isLike(run.newest, otherRun.newest)
        && older.allSatisfy { one in others.contains { isLike(one, $0) } }
        && others.allSatisfy { another in older.contains { isLike($0, another) } }
        && (served.0.map { one in served.1.map { isLike(one, $0) } ?? false } ?? (served.1 == nil))
    }
  }

  /// The requests in progress if one of the runs served this value.
  private func running(with value: RunValue, at index: Int) -> RunningRequests {
    var all = running.all
    all[index] = value.request
    return RunningRequests(all: all, names: running.names)
  }
}

/// The work in progress in a configuration, where runs and effects are numbered by their places. Two configurations are
/// alike if they differ only in the numbers of requests or parts.
struct ConfigurationLikeness: Hashable {
  let effects: [String]
  let areHandedOver: [Bool]
  let timing: Timing
  let scripts: [RunKey: RunScript]
  let sent: [SentAction]
  let returning: RunKey?

  /// - Parameter present: the effects that are connected, in order, with their names.
  init(
    _ key: ConfigurationKey, _ all: [ModelledRun], _ present: [(number: Int32, name: String)]
  ) {
    let places = Dictionary(uniqueKeysWithValues: present.enumerated().map { ($1.number, Int32($0)) })
    // A shared entrance outlasts the effect that first used it.
    let effect = { (number: Int32) in places[number] ?? ~number }
    var runs: [RunKey: RunKey] = [:]
    for (place, run) in all.enumerated() {
      runs[run.key] = RunKey(effect: effect(run.key.effect), request: Int32(place))
    }
    let name = { (key: RunKey) in runs[key] ?? RunKey(effect: ~key.effect, request: key.request) }
    effects = present.map(\.name)
    areHandedOver = all.map { $0.values.count > 1 }
    timing = key.timing.renamed(name, effect)
    scripts = Dictionary(
      uniqueKeysWithValues: key.scripts.map { key, script in
        var script = script
        script.value?.number = 0
        return (name(key), script)
      })
    sent = key.waiting.sent
    returning = key.waiting.returning.map { name($0.run) }
  }
}

/// The identity of a configuration.
struct ConfigurationKey: Hashable {
  var decision: Int32
  var timing = Timing()
  var scripts: [RunKey: RunScript] = [:]
  var waiting = WaitingTurns()

  /// Whether no policy, outcome or closure's action is in progress.
  var isPlain: Bool { timing.isEmpty && scripts.isEmpty && waiting.isEmpty }
}
