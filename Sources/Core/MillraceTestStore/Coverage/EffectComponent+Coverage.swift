import Millrace
import MillraceCoverage
import MillraceSpelling

extension EffectComponent {
  /// The entry of the effect at its connection, of which nothing was seen yet.
  func coverage(at connection: ConnectionIdentity) -> EffectCoverage {
    // The runtime's name for an effect without one, of which a feature may have several.
    let place = connection.name == "effect" ? "\(connection.site)" : nil
    return EffectCoverage(
      effect: connection.name, at: place, request: Spelling.name(of: Request.self),
      failure: Failure.self == Never.self ? nil : Spelling.name(of: Failure.self), cases: Self.allCases)
  }

  /// The cases of a request that the program declares; `nil` where the library does, as `ProcessSignal`, of which a
  /// program asks for those that it needs.
  private static var allCases: [String]? {
    func cases<Known: CaseIterable>(of _: Known.Type) -> [String] {
      Known.allCases.map { Spelling.kind(of: $0) }
    }
    let module = String(reflecting: Request.self).prefix { $0 != "." }
    if libraryModules.contains(module) { return nil }
    return (Request.self as? any CaseIterable.Type).map { cases(of: $0) }
  }
}

/// The modules whose types a program asks for.
private let libraryModules: Set<Substring> = [
  "Millrace", "MillraceCollections", "MillraceEffects", "MillraceHTTP", "MillraceStorage", "MillraceSystem",
]
