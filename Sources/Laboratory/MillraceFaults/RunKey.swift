import Millrace
import MillraceSpelling

/// The identity of a run's work, the same in two runs of one test, and before and after a restart. A test cannot
/// distinguish runs with equal keys.
struct RunKey: Hashable, @unchecked Sendable {  // the request and the ids of parts are Sendable
  let name: String
  private let request: AnyHashable
  private let parts: [AnyHashable]

  /// - Parameter request: the request of the run; if newer ones were handed over, the newest.
  init(_ run: HeldRun, serving request: any Hashable & Sendable) {
    (name, parts) = (run.identity.name, run.parts)
    self.request = AnyHashable(request)
  }

  /// The effect, the request and the parts of the state: `load "page 2" in 7`.
  var text: String {
    let place = parts.isEmpty ? "" : " in \(parts.map { Spelling.text(of: $0.base) }.joined(separator: ", "))"
    return "\(name) \(Spelling.text(of: request.base))\(place)"
  }
}
