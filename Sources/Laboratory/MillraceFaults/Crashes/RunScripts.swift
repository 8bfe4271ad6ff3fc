import Millrace
import MillraceTestStore

/// The actions that the runs of a test have sent, which restarted runs repeat. Pure.
struct RunScripts {
  struct Script {
    fileprivate let key: RunKey
    fileprivate(set) var actions: [any Sendable] = []
    fileprivate(set) var end = RunEnd.continues
    /// The place in the test that answered the run last; `nil` before the first answer.
    fileprivate(set) var site: CallSite?
    /// Whether the test has the effect's body executed.
    fileprivate(set) var isExecuted = false
  }

  private var scripts: [UInt64: Script] = [:]
  /// The scripts of requests whose runs have been handed another request.
  private var handedOver: [RunKey: Script] = [:]

  /// A run has begun, or another request was handed over to it.
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
