/// The coding of an answer's body.
enum BodyCoding: Hashable, Sendable {
  /// A coding that can be decoded here.
  enum Step: String {
    /// gzip, of one member or several.
    case gzip
    /// deflate, with the header of zlib or, as some servers send it, without.
    case deflate
  }

  /// The codings in the order in which the server applied them.
  case steps([Step])
  /// A coding that was not asked for, or more steps than are decoded.
  case unknown(String)

  /// Not coded.
  static let identity = BodyCoding.steps([])
  /// The largest number of steps that are decoded.
  static let mostSteps = 5

  /// Reads the coding from a head. An unknown coding counts as none if the request asked for it.
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
