import Millrace
import MillraceTestStore

/// The actions that the runs of a test have sent: a run that begins again after a restart sends it again. Pure.
struct RunScripts {
  struct Script {
    fileprivate let key: RunKey
    fileprivate(set) var actions: [any Sendable] = []
    fileprivate(set) var end = RunEnd.continues
    /// The place in the test that said so; `nil` before it has said anything.
    fileprivate(set) var site: CallSite?
    /// Whether the test has the body executed.
    fileprivate(set) var isExecuted = false
  }

  private var scripts: [UInt64: Script] = [:]
  /// The scripts of runs for a request before another one was handed over to them.
  private var handedOver: [RunKey: Script] = [:]

  /// A run has begun, or was handed over another request.
  mutating func asked(_ run: UInt64, as key: RunKey) {
    if let script = scripts.updateValue(Script(key: key), forKey: run) { handedOver[script.key] = script }
  }

  mutating func sent(_ action: any Sendable, by run: UInt64, at site: CallSite) {
    scripts[run]?.actions.append(action)
    scripts[run]?.site = site
  }

  mutating func ended(_ run: UInt64, _ end: RunEnd, at site: CallSite) {
    scripts[run]?.end = end
    scripts[run]?.site = site
  }

  mutating func executed(_ run: UInt64) { scripts[run]?.isExecuted = true }

  /// The script of the newest run of each request.
  var newest: [RunKey: Script] {
    let newest = scripts.sorted { $0.key < $1.key }.map(\.value)
    return handedOver.merging(newest.map { ($0.key, $0) }) { $1 }
  }
}
