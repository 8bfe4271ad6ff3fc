import Millrace
import MillraceCoverage

extension ConnectedEffect {
  /// The entry of the effect, of which nothing was seen yet.
  var coverage: EffectCoverage {
    let failure = failureType == Never.self ? nil : Spelling.name(of: failureType)
    // The runtime's name for an effect without one, of which a feature may have several.
    let place = connection.name == "effect" ? "\(connection.site)" : nil
    return EffectCoverage(
      effect: connection.name, at: place, request: Spelling.name(of: requestType), failure: failure,
      cases: allCases)
  }

  private var allCases: [String]? {
    func cases<Request: CaseIterable>(of _: Request.Type) -> [String] {
      Request.allCases.map { Spelling.kind(of: $0) }
    }
    return (requestType as? any CaseIterable.Type).map { cases(of: $0) }
  }
}
