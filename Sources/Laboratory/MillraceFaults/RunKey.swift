import Millrace
import MillraceSpelling
import MillraceTestStore

/// Identifies the work of a run, in two runs of one test, or before and after a restart. A test
/// cannot tell runs apart that have the same one.
struct RunKey: Hashable, @unchecked Sendable {  // of requests and of parts of states, which are Sendable
  let name: String
  private let request: AnyHashable
  private let parts: [AnyHashable]

  /// - Parameter request: the request of the run, the newest where others were handed over.
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
