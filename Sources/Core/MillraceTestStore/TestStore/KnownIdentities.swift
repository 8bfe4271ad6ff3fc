import Millrace

/// The identities that one effect has given to the requests of its runs. Pure.
struct KnownIdentities: @unchecked Sendable {  // holds requests and ids, which are Sendable
  private var ids: [AnyHashable: AnyHashable] = [:]
  private var isReported = false

  /// Notes the identity of a request whose run has begun.
  ///
  /// - Parameter given: the results of several calls of `id(of:)` for the request.
  /// - Returns: whether these differ from each other or from that of an earlier equal request. True only once.
  mutating func isFirstMistake(_ request: any Hashable & Sendable, _ given: [AnyHashable]) -> Bool {
    guard !isReported, let id = given.first else { return false }
    let known = ids.updateValue(id, forKey: AnyHashable(request)) ?? id
    isReported = given.contains { $0 != known }
    return isReported
  }
}

extension EffectComponent {
  /// The identity of a request; `nil` if it is of another type.
  func anyID(of request: any Hashable & Sendable) -> AnyHashable? {
    (request as? Request).map { AnyHashable(id(of: $0)) }
  }
}
