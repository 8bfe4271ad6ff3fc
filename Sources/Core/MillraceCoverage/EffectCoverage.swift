/// The requests and outcomes of one effect in tests.
package struct EffectCoverage: Codable, Sendable, Equatable {
  package let effect: String
  /// The place of its connection; `nil` if the connection has a name.
  package let place: String?
  /// The type of its requests.
  package let request: String
  /// The type of its errors; `nil` if it cannot fail.
  package let failure: String?
  /// All cases of the request; `nil` if they cannot be listed.
  package let cases: [String]?
  package private(set) var kinds: [String: KindCoverage] = [:]

  package init(
    effect: String, at place: String? = nil, request: String, failure: String?, cases: [String]?
  ) {
    self.effect = effect
    self.place = place
    self.request = request
    self.failure = failure
    self.cases = cases
  }

  package mutating func change(_ kind: String, _ body: (inout KindCoverage) -> Void) {
    body(&kinds[kind, default: KindCoverage()])
  }

  package mutating func merge(_ other: EffectCoverage) {
    for (kind, coverage) in other.kinds { change(kind) { $0.merge(coverage) } }
  }

  /// The outcomes that no test has produced, in words.
  package var missing: [String] {
    guard !kinds.isEmpty else { return ["no request of it ever ran"] }
    var missing: [String] = []
    for kind in (cases ?? []).filter({ kinds[$0] == nil }) { missing.append("\(kind) was never asked for") }
    for (kind, coverage) in kinds.sorted(by: { $0.key < $1.key }) {
      if coverage.sent.isEmpty { missing.append("\(kind) never sent anything") }
      if let failure, coverage.failed == 0 {
        missing.append("\(kind) never failed, and can throw \(failure)")
      }
      if coverage.stopped == 0 { missing.append("\(kind) was never stopped") }
    }
    return missing
  }

  /// The effect, the outcomes of each kind of its requests, and the missing outcomes.
  package var text: String {
    let seen = kinds.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value.text)" }
    let head = "\(effect)\(place.map { " at \($0)" } ?? "") (\(request))"
    return ([head] + seen + missing.map { "  missing: \($0)" }).joined(separator: "\n")
  }
}
