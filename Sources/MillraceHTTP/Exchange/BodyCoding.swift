/// How the body of an answer is coded.
enum BodyCoding: Hashable, Sendable {
  /// Not coded.
  case identity
  /// By gzip, of one member or several.
  case gzip
  /// By deflate, with the head of zlib or, as some servers have it, without.
  case deflate
  /// In a way that was not asked for.
  case unknown(String)

  /// The coding that a head tells. One that the request has asked for and that is not known here counts as none.
  init(_ headers: HTTPHeaders, asked: String?) {
    #if canImport(Darwin)
    self = .identity  // the system decodes
    #else
    let names = (headers["content-encoding"] ?? "").lowercased().split(separator: ",").map {
      String($0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
    }
    let codings = names.filter { !$0.isEmpty && $0 != "identity" }
    switch codings {
    case []: self = .identity
    case ["gzip"], ["x-gzip"]: self = .gzip
    case ["deflate"]: self = .deflate
    case let others:
      let asked = asked?.lowercased() ?? ""
      self = others.allSatisfy(asked.contains) ? .identity : .unknown(others.joined(separator: ", "))
    }
    #endif
  }
}
