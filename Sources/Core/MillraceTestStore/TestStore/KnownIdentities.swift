import Millrace

/// The identities that one effect has given to the requests of its runs. Pure.
struct KnownIdentities: @unchecked Sendable {  // holds requests and ids, which are Sendable
  private var ids: [AnyHashable: AnyHashable] = [:]
  private var isReported = false

  /// A run of a request was begun.
  ///
  /// - Parameter given: the identities that the effect gives the request, asked more than once.
  /// - Returns: whether these, or one that an equal request had, differ, for the first time.
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
