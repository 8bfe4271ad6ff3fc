import Millrace
import MillraceCoverage

extension ConnectedEffect {
  /// The entry of the effect, of which nothing was seen yet.
  var coverage: EffectCoverage {
    let failure = failureType == Never.self ? nil : Spelling.name(of: failureType)
    return EffectCoverage(
      effect: name, request: Spelling.name(of: requestType), failure: failure, cases: allCases)
  }

  private var allCases: [String]? {
    func cases<Request: CaseIterable>(of _: Request.Type) -> [String] {
      Request.allCases.map { Spelling.kind(of: $0) }
    }
    return (requestType as? any CaseIterable.Type).map { cases(of: $0) }
  }
}
