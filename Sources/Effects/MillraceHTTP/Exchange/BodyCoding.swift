/// How the body of an answer is coded.
enum BodyCoding: Hashable, Sendable {
  /// A coding that can be undone here.
  enum Step: String {
    /// gzip, of one member or several.
    case gzip
    /// deflate, with the head of zlib or, as some servers have it, without.
    case deflate
  }

  /// By these steps, in the order in which the server applied them.
  case steps([Step])
  /// In a way that was not asked for, or by more steps than are undone.
  case unknown(String)

  /// Not coded.
  static let identity = BodyCoding.steps([])
  /// The largest number of steps that are undone.
  static let mostSteps = 5

  /// The coding that a head tells. One that the request has asked for and that is not known here counts as none.
  init(_ headers: HTTPHeaders, asked: String?) {
    #if canImport(Darwin)
    self = .identity  // the system decodes
    #else
    let names = headers.items(of: "content-encoding").filter { !["", "identity", "none"].contains($0) }
    let steps = names.compactMap { Step(rawValue: $0 == "x-gzip" ? "gzip" : $0) }
    if steps.count == names.count, steps.count <= Self.mostSteps {
      self = .steps(steps)
    } else {
      let asked = asked?.lowercased() ?? ""
      self = names.allSatisfy(asked.contains) ? .identity : .unknown(names.joined(separator: ", "))
    }
    #endif
  }
}
