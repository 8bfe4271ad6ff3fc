import Millrace
import MillraceCoverage
import MillraceSpelling

extension EffectComponent {
  /// An empty coverage entry for the effect at a connection.
  func coverage(at connection: ConnectionIdentity) -> EffectCoverage {
    // The runtime names an unnamed effect "effect". A feature may have several, which differ by their places.
    let place = connection.name == "effect" ? "\(connection.site)" : nil
    return EffectCoverage(
      effect: connection.name, at: place, request: Spelling.name(of: Request.self),
      failure: Failure.self == Never.self ? nil : Spelling.name(of: Failure.self), cases: Self.allCases)
  }

  /// The cases of the request type, if the program declares it. `nil` for a type of the library, such as
  /// `ProcessSignal`, of which a program needs only some cases.
  private static var allCases: [String]? {
    func cases<Known: CaseIterable>(of _: Known.Type) -> [String] {
      Known.allCases.map { Spelling.kind(of: $0) }
    }
    let module = String(reflecting: Request.self).prefix { $0 != "." }
    if libraryModules.contains(module) { return nil }
    return (Request.self as? any CaseIterable.Type).map { cases(of: $0) }
  }
}

private let libraryModules: Set<Substring> = [
  "Millrace", "MillraceCollections", "MillraceEffects", "MillraceHTTP", "MillraceStorage", "MillraceSystem",
]
